# This list is also the table of commands, in the order that --help shows.
commands = \
	%D%/cmd_run.c \
	%D%/cmd_verify.c \
	%D%/cmd_info.c \
	%D%/cmd_replay.c \
	%D%/cmd_list.c \
	%D%/cmd_show.c \
	%D%/cmd_explain.c \
	%D%/cmd_schema.c \
	%D%/cmd_help.c

aclsim_SOURCES = \
	%D%/main.c \
	%D%/catalog.h %D%/catalog.c \
	%D%/command.h %D%/command.c \
	%D%/options.h %D%/options.c \
	%D%/colour.h %D%/colour.c \
	%D%/manual.h %D%/manual.c \
	%D%/finding_print.h %D%/finding_print.c \
	%D%/outcome.h %D%/outcome.c %D%/outcome_json.c %D%/outcome_wait.c \
	%D%/picture.h %D%/picture.c \
	%D%/place.h %D%/place.c \
	%D%/progress.h %D%/progress.c \
	%D%/replay_print.h %D%/replay_print.c \
	%D%/run_trace.h %D%/run_trace.c \
	%D%/sheet.h %D%/sheet.c \
	%D%/trace_sheet.h %D%/trace_sheet.c \
	%D%/usage.h %D%/usage.c \
	$(commands)
aclsim_LDADD = $(simulator_libs)

BUILT_SOURCES += %D%/commands.inc
CLEANFILES += %D%/commands.inc
%D%/commands.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(commands) > $@

# A page of the manual for the program and for each command, printed by the program itself.
man1dir = $(mandir)/man1
manuals = %D%/manuals
all_local += $(manuals)/made
install_data_local += install-manuals
uninstall_local += uninstall-manuals
$(manuals)/made: aclsim$(EXEEXT)
	$(AM_V_GEN)rm -rf $(manuals) && $(MKDIR_P) $(manuals) && \
	./aclsim$(EXEEXT) help --manual >$(manuals)/aclsim.1 && \
	for name in `./aclsim$(EXEEXT) list commands | sed 's/ .*//'`; do \
	./aclsim$(EXEEXT) help --manual $$name >$(manuals)/aclsim-$$name.1 || exit 1; done && \
	touch $@
install-manuals: $(manuals)/made
	$(MKDIR_P) "$(DESTDIR)$(man1dir)"
	$(INSTALL_DATA) $(manuals)/*.1 "$(DESTDIR)$(man1dir)"
uninstall-manuals:
	rm -f "$(DESTDIR)$(man1dir)"/aclsim.1 "$(DESTDIR)$(man1dir)"/aclsim-*.1
clean-local:
	rm -rf $(manuals)
.PHONY: install-manuals uninstall-manuals
