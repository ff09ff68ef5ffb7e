# This list is also the table of commands, in the order that --help shows.
commands = \
	%D%/cmd_run.c \
	%D%/cmd_verify.c \
	%D%/cmd_list.c

aclsim_SOURCES = \
	%D%/main.c \
	%D%/catalog.h %D%/catalog.c \
	%D%/command.h %D%/command.c \
	%D%/options.h %D%/options.c \
	%D%/outcome.h %D%/outcome.c \
	$(commands)
aclsim_LDADD = $(simulator_libs)

BUILT_SOURCES += %D%/commands.inc
CLEANFILES += %D%/commands.inc
%D%/commands.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(commands) > $@
