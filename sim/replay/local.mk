libsim_a_SOURCES += \
	%D%/request.h
