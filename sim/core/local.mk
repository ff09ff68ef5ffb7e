libsim_a_SOURCES += \
	%D%/choice.h %D%/choice.c \
	%D%/distribution.h %D%/distribution.c \
	%D%/engine.h %D%/engine.c \
	%D%/event.h %D%/event.c \
	%D%/event_bucket.h %D%/event_bucket.c \
	%D%/event_record.h \
	%D%/fact.h %D%/fact.c %D%/fact_rows.inc \
	%D%/journal.h %D%/journal.c \
	%D%/random.h %D%/random.c \
	%D%/schedule.h %D%/schedule.c
