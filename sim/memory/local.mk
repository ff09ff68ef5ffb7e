libsim_a_SOURCES += \
	%D%/page.h %D%/page.c \
	%D%/piece.h %D%/piece.c \
	%D%/pool.h %D%/pool.c \
	%D%/pool_check.c \
	%D%/pool_frames.h %D%/pool_frames.c \
	%D%/pool_pages.h %D%/pool_pages.c \
	%D%/pool_record.h \
	%D%/range.h %D%/range.c \
	%D%/range_inner.h %D%/range_inner.c \
	%D%/range_leaf.h %D%/range_leaf.c \
	%D%/range_node.h \
	%D%/range_tree.h %D%/range_tree.c \
	%D%/space.h %D%/space.c
