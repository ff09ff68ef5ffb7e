# A benchmark is one more program in this list, with its _SOURCES and _LDADD; `make bench` runs each.
bench_programs = \
	%D%/bench_event

%C%_bench_event_SOURCES = %D%/bench_event.c %D%/floor_heap.h
%C%_bench_event_LDADD = $(simulator_libs)

EXTRA_PROGRAMS = $(bench_programs)
CLEANFILES += $(bench_programs)

.PHONY: bench
bench: all
	@test -z "$(bench_programs)" || $(MAKE) $(AM_MAKEFLAGS) $(bench_programs)
	@for program in $(bench_programs); do ./$$program || exit 1; done
