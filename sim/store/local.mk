libsim_a_SOURCES += \
	%D%/slots.h %D%/slots.c \
	%D%/store.h %D%/store.c \
	%D%/table.h %D%/table.c \
	%D%/table_type.h %D%/table_whole.h \
	%D%/undo.h
