libsim_a_SOURCES += \
	%D%/call_text.h %D%/call_text.c \
	%D%/holdings.h %D%/holdings.c \
	%D%/metrics.h %D%/metrics.c \
	%D%/reason_text.h %D%/reason_text.c \
	%D%/totals.h %D%/totals.c \
	%D%/transcript.h %D%/transcript.c
