libsim_a_SOURCES += \
	%D%/array.h \
	%D%/bits.h \
	%D%/host.h %D%/host.c \
	%D%/json.h %D%/json.c \
	%D%/json_document.h \
	%D%/json_scan.h %D%/json_scan.c \
	%D%/json_set.h %D%/json_set.c \
	%D%/json_write.h %D%/json_write.c \
	%D%/lanes.h \
	%D%/mix.h \
	%D%/must.h %D%/must.c \
	%D%/name_list.h %D%/name_list.c \
	%D%/number_map.h %D%/number_map.c \
	%D%/problem.h %D%/problem.c \
	%D%/text.h %D%/text.c \
	%D%/units.h %D%/units.c \
	%D%/whole_file.h %D%/whole_file.c
