libsim_a_SOURCES += \
	%D%/audit.h %D%/audit.c \
	%D%/block.h %D%/block.c \
	%D%/cost.h %D%/cost.c %D%/cost_keys.inc \
	%D%/driver.h %D%/driver.c \
	%D%/flow.h %D%/flow.c \
	%D%/handle.h %D%/handle.c \
	%D%/link.h %D%/link.c \
	%D%/link_read.h %D%/link_read.c \
	%D%/machine.h %D%/machine.c \
	%D%/mapping.h %D%/mapping.c \
	%D%/model_names.h %D%/model_names.c \
	%D%/moment.h \
	%D%/object.h \
	%D%/peer.h %D%/peer.c \
	%D%/process.h %D%/process.c \
	%D%/product.h %D%/product.c %D%/product_fields.inc \
	%D%/product_check.h %D%/product_check.c \
	%D%/product_leaf.h %D%/product_leaf.c \
	%D%/product_lists.h %D%/product_lists.c \
	%D%/product_read.h %D%/product_read.c \
	%D%/product_schema.h %D%/product_schema.c \
	%D%/product_value.h %D%/product_value.c \
	%D%/share.h %D%/share.c \
	%D%/site.h %D%/site.c \
	%D%/stream.h %D%/stream.c \
	%D%/touch.h %D%/touch.c
