# This list is also the table of suites: test_space.c defines the suite function test_space().
suites = \
	%D%/test_acl_access.c \
	%D%/test_acl_cached.c \
	%D%/test_acl_copy.c \
	%D%/test_acl_device.c \
	%D%/test_acl_error.c \
	%D%/test_acl_event.c \
	%D%/test_acl_host.c \
	%D%/test_acl_import.c \
	%D%/test_acl_inquiry.c \
	%D%/test_acl_malloc.c \
	%D%/test_acl_map.c \
	%D%/test_acl_media.c \
	%D%/test_acl_peer.c \
	%D%/test_acl_physical.c \
	%D%/test_acl_policy.c \
	%D%/test_acl_query.c \
	%D%/test_acl_reserve.c \
	%D%/test_acl_rule.c \
	%D%/test_acl_share.c \
	%D%/test_acl_status.c \
	%D%/test_acl_stream.c \
	%D%/test_acl_whitelist.c \
	%D%/test_array.c \
	%D%/test_call_values.c \
	%D%/test_choice.c \
	%D%/test_distribution.c \
	%D%/test_draw.c \
	%D%/test_engine.c \
	%D%/test_cut.c \
	%D%/test_event.c \
	%D%/test_event_peek.c \
	%D%/test_expression.c \
	%D%/test_fact.c \
	%D%/test_figure.c \
	%D%/test_form_json.c \
	%D%/test_form_pickle.c \
	%D%/test_import.c \
	%D%/test_journal.c \
	%D%/test_json.c \
	%D%/test_json_set.c \
	%D%/test_lanes.c \
	%D%/test_json_write.c \
	%D%/test_lifetime.c \
	%D%/test_link.c \
	%D%/test_link_read.c \
	%D%/test_metrics.c \
	%D%/test_mix.c \
	%D%/test_models.c \
	%D%/test_media_step.c \
	%D%/test_must.c \
	%D%/test_name_list.c \
	%D%/test_number_map.c \
	%D%/test_piece.c \
	%D%/test_policy.c \
	%D%/test_pool.c \
	%D%/test_problem.c \
	%D%/test_product_lists.c \
	%D%/test_product_read.c \
	%D%/test_random.c \
	%D%/test_range.c \
	%D%/test_range_misuse.c \
	%D%/test_run.c \
	%D%/test_run_ends.c \
	%D%/test_run_server.c \
	%D%/test_scenario.c \
	%D%/test_scenario_bad.c \
	%D%/test_scale.c \
	%D%/test_schedule.c \
	%D%/test_slots.c \
	%D%/test_space.c \
	%D%/test_replay.c \
	%D%/test_store.c \
	%D%/test_strategy.c \
	%D%/test_table.c \
	%D%/test_text.c \
	%D%/test_totals.c \
	%D%/test_trace.c \
	%D%/test_traces.c \
	%D%/test_undo.c \
	%D%/test_units.c \
	%D%/test_value.c \
	%D%/test_whole_file.c

if BUILD_TESTS
check_PROGRAMS += %D%/unit
TESTS += %D%/unit.sh
endif
%C%_unit_SOURCES = %D%/unit.c $(suites) \
	%D%/counts.h %D%/counts.c \
	%D%/crowd.h %D%/crowd.c \
	%D%/engine_world.h %D%/engine_world.c \
	%D%/model_folder.h %D%/model_folder.c \
	%D%/pickled.h %D%/pickled.c \
	%D%/plain_ranges.h %D%/plain_ranges.c \
	%D%/pool_model.h %D%/pool_model.c \
	%D%/queue_pair.h %D%/queue_pair.c \
	%D%/random_calls.h %D%/random_calls.c \
	%D%/random_edits.h %D%/random_edits.c \
	%D%/sharing.h %D%/sharing.c \
	%D%/stage.h %D%/stage.c \
	%D%/streaming.h %D%/streaming.c \
	%D%/virtual_calls.h %D%/virtual_calls.c \
	%D%/world.h %D%/world.c
%C%_unit_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS)
%C%_unit_LDADD = $(simulator_libs) $(CHECK_LIBS)

BUILT_SOURCES += %D%/suites.inc
CLEANFILES += %D%/suites.inc
%D%/suites.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(suites) > $@

# Tests that are scripts, a line each.
scripts = \
	%D%/bad.sh \
	%D%/expected-codes.sh \
	%D%/help.sh \
	%D%/info.sh \
	%D%/install.sh \
	%D%/lists.sh \
	%D%/products.sh \
	%D%/hazards.sh \
	%D%/replay.sh \
	%D%/rules.sh \
	%D%/run.sh \
	%D%/scenarios.sh \
	%D%/schema.sh \
	%D%/tidy.sh \
	%D%/trace-files.sh
TESTS += $(scripts)
EXTRA_DIST += $(scripts) \
	%D%/bad \
	%D%/determinism.sh \
	%D%/expected-codes.csv \
	%D%/other-models.sh \
	%D%/product-numbers.csv \
	%D%/schema.py \
	%D%/tally.sh \
	%D%/traced \
	%D%/traces \
	%D%/unit.sh
AM_TESTS_ENVIRONMENT = \
	builddir_absolute='$(abs_top_builddir)'; export builddir_absolute; \
	CC='$(CC)'; export CC; \
	TIDY_CPPFLAGS='$(AM_CPPFLAGS)'; export TIDY_CPPFLAGS;

# What takes longer than a change should wait for.
check-long: all
	@$(AM_TESTS_ENVIRONMENT) srcdir='$(srcdir)' $(srcdir)/%D%/other-models.sh
.PHONY: check-long
