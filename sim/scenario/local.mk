libsim_a_SOURCES += \
	%D%/alternative_read.h %D%/alternative_read.c \
	%D%/call_form.h %D%/call_form.c \
	%D%/call_read.h %D%/call_read.c \
	%D%/cut_read.h %D%/cut_read.c \
	%D%/distribution_read.h %D%/distribution_read.c \
	%D%/expect.h %D%/expect.c \
	%D%/expression.h %D%/expression.c \
	%D%/figure.h %D%/figure.c \
	%D%/figure_expect.h %D%/figure_expect.c \
	%D%/finding_expect.h %D%/finding_expect.c \
	%D%/lifetime.h %D%/lifetime.c \
	%D%/part_read.h %D%/part_read.c \
	%D%/part_row.h %D%/part_row.c \
	%D%/program.h \
	%D%/run.h %D%/run.c \
	%D%/run_server.h %D%/run_server.c \
	%D%/run_state.h %D%/run_step.c \
	%D%/run_draw.c %D%/run_release.c \
	%D%/run_cut.c %D%/run_turn.h %D%/run_work.c \
	%D%/scenario.h %D%/scenario.c \
	%D%/schedule_check.h %D%/schedule_check.c \
	%D%/schema.h %D%/schema.c %D%/schema_figure.c %D%/schema_step.c \
	%D%/step_read.h %D%/step_read.c \
	%D%/step_row.h %D%/step_row.c
