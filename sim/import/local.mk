# This list is also the table of forms: import_x.c defines the form import_x.
formats = \
	%D%/import_torch_snapshot.c

libsim_a_SOURCES += \
	%D%/import.h %D%/import.c \
	%D%/torch_snapshot.h %D%/torch_snapshot.c \
	%D%/torch_survey.h %D%/torch_survey.c \
	$(formats)

BUILT_SOURCES += %D%/formats.inc
CLEANFILES += %D%/formats.inc
%D%/formats.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(formats) > $@
