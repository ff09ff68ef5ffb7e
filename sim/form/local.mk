libsim_a_SOURCES += \
	%D%/form_pickle.h %D%/form_pickle.c \
	%D%/form_pickle_codes.h %D%/form_pickle_codes.c \
	%D%/form_source.h %D%/form_source.c
