# A benchmark is one more program in this list, with its _SOURCES and _LDADD; `make bench` runs each.
bench_programs = \
	%D%/bench_event \
	%D%/bench_range \
	%D%/bench_pool \
	%D%/bench_call \
	%D%/bench_replay \
	%D%/bench_memory

%C%_bench_event_SOURCES = %D%/bench_event.c %D%/bench.h %D%/bench.c %D%/floor_heap.h
%C%_bench_event_LDADD = $(simulator_libs)
%C%_bench_range_SOURCES = %D%/bench_range.c %D%/bench.h %D%/bench.c
%C%_bench_range_LDADD = $(simulator_libs)
%C%_bench_pool_SOURCES = %D%/bench_pool.c %D%/bench.h %D%/bench.c
%C%_bench_pool_LDADD = $(simulator_libs)
%C%_bench_call_SOURCES = %D%/bench_call.c %D%/bench.h %D%/bench.c \
	%D%/floor_arena.h %D%/floor_arena.c \
	tests/world.h tests/world.c
%C%_bench_call_LDADD = $(simulator_libs) -lm
%C%_bench_replay_SOURCES = %D%/bench_replay.c %D%/bench.h %D%/bench.c \
	%D%/floor_arena.h %D%/floor_arena.c \
	tests/world.h tests/world.c
%C%_bench_replay_LDADD = $(simulator_libs) -lm
%C%_bench_memory_SOURCES = %D%/bench_memory.c %D%/bench.h %D%/bench.c tests/crowd.h tests/crowd.c tests/world.h tests/world.c
%C%_bench_memory_LDADD = $(simulator_libs)

EXTRA_PROGRAMS = $(bench_programs)
CLEANFILES += $(bench_programs)

# `make bench BENCH=--help` says what each measures; bench-long is what takes minutes.
.PHONY: bench bench-long
bench: all
	@$(MAKE) $(AM_MAKEFLAGS) $(bench_programs)
	@for program in $(bench_programs); do ./$$program $(BENCH) || exit 1; done

bench-long: all
	@$(MAKE) $(AM_MAKEFLAGS) %D%/bench_memory
	@%D%/bench_memory long
