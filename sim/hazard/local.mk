# This list is also the table of rules: hazard_sharing.c defines the family hazard_sharing.
hazards = \
	%D%/hazard_lifetime.c \
	%D%/hazard_mapping.c \
	%D%/hazard_sharing.c \
	%D%/hazard_access.c \
	%D%/hazard_piece.c \
	%D%/hazard_capacity.c

libsim_a_SOURCES += \
	%D%/churn.h %D%/churn.c \
	%D%/finding.h %D%/finding.c \
	%D%/finding_text.h %D%/finding_text.c \
	%D%/hazard.h %D%/hazard.c \
	%D%/hazard_family.h \
	%D%/identity.h %D%/identity.c \
	%D%/released.h %D%/released.c \
	%D%/written.h %D%/written.c \
	$(hazards)

BUILT_SOURCES += %D%/hazards.inc
CLEANFILES += %D%/hazards.inc
%D%/hazards.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(hazards) > $@
