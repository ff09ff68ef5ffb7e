libsim_a_SOURCES += \
	%D%/call_text.h %D%/call_text.c \
	%D%/reason_text.h %D%/reason_text.c \
	%D%/transcript.h %D%/transcript.c
