# This list is also the table of formats: trace_csv.c defines the format trace_csv.
trace_formats = \
	%D%/trace_csv.c \
	%D%/trace_calls.c \
	%D%/trace_jsonl.c \
	%D%/trace_timeline.c

libsim_a_SOURCES += \
	%D%/call_text.h %D%/call_text.c \
	%D%/call_values.h %D%/call_values.c \
	%D%/holdings.h %D%/holdings.c \
	%D%/metrics.h %D%/metrics.c \
	%D%/reason_text.h %D%/reason_text.c \
	%D%/timeline.h %D%/timeline_work.c \
	%D%/totals.h %D%/totals.c \
	%D%/trace.h %D%/trace.c \
	%D%/trace_file.h %D%/trace_file.c \
	%D%/trace_format.h \
	%D%/transcript.h %D%/transcript.c \
	$(trace_formats)

BUILT_SOURCES += %D%/trace_formats.inc
CLEANFILES += %D%/trace_formats.inc
%D%/trace_formats.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(trace_formats) > $@
