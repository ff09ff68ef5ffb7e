libsim_a_SOURCES += \
	%D%/form_json.h %D%/form_json.c \
	%D%/form_pickle.h %D%/form_pickle.c \
	%D%/form_pickle_codes.h %D%/form_pickle_codes.c \
	%D%/form_source.h %D%/form_source.c \
	%D%/form_value.h %D%/form_value.c
