libsim_a_SOURCES += \
	%D%/replay.h %D%/replay.c \
	%D%/request.h
