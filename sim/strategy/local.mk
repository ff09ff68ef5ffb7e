# This list is also the table of strategies: strategy_x.c defines the strategy strategy_x.
strategies = \
	%D%/strategy_direct.c \
	%D%/strategy_align32.c \
	%D%/strategy_pooled.c

libsim_a_SOURCES += \
	%D%/strategy.h %D%/strategy.c \
	%D%/strategy_plain.h %D%/strategy_plain.c \
	$(strategies)

BUILT_SOURCES += %D%/strategies.inc
CLEANFILES += %D%/strategies.inc
%D%/strategies.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(strategies) > $@
