# This list is also the table of families: acl_map.c defines the family acl_map. Its order is the
# order of the rows, whose numbers enter the digest.
families = \
	%D%/acl_init.c \
	%D%/acl_query.c \
	%D%/acl_malloc.c \
	%D%/acl_media.c \
	%D%/acl_host.c \
	%D%/acl_physical.c \
	%D%/acl_reserve.c \
	%D%/acl_map.c \
	%D%/acl_access.c \
	%D%/acl_share.c \
	%D%/acl_peer.c \
	%D%/acl_stream.c \
	%D%/acl_event.c \
	%D%/acl_copy.c \
	%D%/acl_cached.c \
	%D%/acl_free_sync.c \
	%D%/acl_inquiry.c \
	%D%/acl_status.c

libsim_a_SOURCES += \
	%D%/acl.h %D%/acl.c \
	%D%/acl_block.h %D%/acl_block.c \
	%D%/acl_constant.h %D%/acl_constant.c %D%/acl_constants.inc \
	%D%/acl_error.h %D%/acl_error.c %D%/acl_errors.inc \
	%D%/acl_event.h \
	%D%/acl_frame.h %D%/acl_frame.c \
	%D%/acl_kinds.inc \
	%D%/acl_policy.h %D%/acl_policy.c \
	%D%/acl_row.h %D%/acl_row.c \
	%D%/acl_rule.h %D%/acl_rule.c %D%/acl_rules.inc \
	%D%/acl_stream.h \
	%D%/acl_support.h %D%/acl_support.c \
	%D%/acl_virtual.h %D%/acl_virtual.c \
	$(families)

BUILT_SOURCES += %D%/families.inc
CLEANFILES += %D%/families.inc
%D%/families.inc: Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && $(registry) $(families) > $@
