# SPDX-License-Identifier: Apache-2.0
# Usage: gnuplot -c run.gnuplot RUN.csv FOLDER
# Draws occupancy, fragmentation and latency from the CSV that aclsim run --trace writes: as .svg, or
# as .png where the table is so long that a file with every point in it would be huge.
set datafile separator ','
set datafile columnheaders
set border 3 lc rgb '#888888'
set tics nomirror textcolor rgb '#444444'
set grid ytics lc rgb '#dddddd'
set title offset 0,-0.3
array colour[7] = [ '#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#444444' ]
of(n) = colour[(n - 1) % 7 + 1]

# Which devices, processes and calls there are, as lists of words, and the times.
devices = ''
processes = ''
calls = ''
last = 0
most = 0
shortest = 1e30
longest = 0
added(list, name) = strstrt(list, '"'.name.'"') > 0 ? list : list.' "'.name.'"'
max(a, b) = a > b ? a : b
min(a, b) = a < b ? a : b
latency(c) = (column('end_ns') - column('time_ns')) / 1e3
is(kind) = strcol('row') eq kind
device(c) = strcol('server').'/'.strcol('device').(strcol('medium') eq 'main' ? '' : ' '.strcol('medium'))
note(c) = is('call') ? (calls = added(calls, strcol('call')), last = max(last, column('end_ns')), longest = max(longest, latency(0)), \
          shortest = latency(0) > 0 ? min(shortest, latency(0)) : shortest, 0) : \
          is('device') ? (devices = added(devices, device(0)), most = max(most, column('reserved'))) : \
          is('process') ? (processes = added(processes, strcol('process')), 0) : \
          is('end') ? (last = max(last, column('time_ns')), 0) : 0
stats ARG1 using (note(0)) nooutput
last = max(last, 1)
is_long = STATS_records > 20000 && strstrt(GPVAL_TERMINALS, 'pngcairo') > 0
if (is_long) {
    set terminal pngcairo size 1500,780 fontscale 1.3 background rgb 'white'
} else {
    set terminal svg size 1000,520 font 'sans-serif,14' background rgb 'white'
}
picture(name) = ARG2.'/'.name.(is_long ? '.png' : '.svg')

# Units that suit the run.
time = last < 1e4 ? 1.0 : last < 1e7 ? 1e3 : last < 1e10 ? 1e6 : 1e9
time_name = time == 1 ? 'ns' : time == 1e3 ? 'us' : time == 1e6 ? 'ms' : 's'
size = most < 1048576 ? 1024.0 : most < 10737418240 ? 1048576.0 : 1073741824.0
size_name = size == 1024 ? 'KiB' : size == 1048576 ? 'MiB' : 'GiB'
end = last / time

# A block of times and values for each thing, from the beginning of the run to its end. At most
# eight devices and eight processes are drawn.
number = 0
value1 = 0
value2 = 0
rows = 'ARG1 using (column(''time_ns'') / time):(value1 = column(''%s'')):(value2 = column(''%s'')) with table if (%s)'
make = 'value1 = 0; value2 = 0; set print $%s%d; print "x,y,z"; print "0,0,0"; unset print; ' . \
       'set table $%s%d append separator comma; plot ' . rows . '; unset table; ' . \
       'set print $%s%d append; print sprintf("%%.9g,%%.9g,%%.9g", end, value1, value2); unset print'
series(name, n, first, second, which) = \
    sprintf(make, name, n, name, n, first, second, which, name, n)
device_count = words(devices) > 8 ? 8 : words(devices)
process_count = words(processes) > 8 ? 8 : words(processes)
do for [n = 1:device_count] {
    eval series('bytes', n, 'reserved', 'requested', 'is("device") && device(0) eq word(devices, n)')
    eval series('loss', n, 'internal', 'huge', 'is("device") && device(0) eq word(devices, n)')
}
do for [n = 1:process_count] {
    eval series('addresses', n, 'external', 'external', 'is("process") && strcol("process") eq word(processes, n)')
}

set key outside top center horizontal noenhanced width 1
set xrange [0:end]
set xlabel 'simulated time, '.time_name textcolor rgb '#444444'
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set output picture('occupancy')
set title 'Memory of devices'
set ylabel size_name textcolor rgb '#444444'
draw = 'plot '
do for [n = 1:device_count] {
    draw = draw . sprintf('$bytes%d using 1:(column(2) / size) with fillsteps fs transparent solid 0.15 noborder fc rgb of(%d) notitle, ', n, n) . \
        sprintf('$bytes%d using 1:(column(2) / size) with steps lw 1.5 lc rgb of(%d) title word(devices, %d)." reserved", ', n, n, n) . \
        sprintf('$bytes%d using 1:(column(3) / size) with steps lw 1.5 dt (8,4) lc rgb of(%d) title "requested", ', n, n)
}
draw = draw . 'NaN notitle'
if (device_count == 0) { set yrange [0:1]; set title 'Memory of devices: none was allocated' }
eval draw

set output picture('fragmentation')
set title 'What is lost to fragmentation'
set ylabel '%' textcolor rgb '#444444'
set offsets 0, 0, 0, 0
set yrange [-2:102]
draw = 'plot '
do for [n = 1:device_count] {
    draw = draw . sprintf('$loss%d using 1:(column(2) * 100) with steps lw 1.5 lc rgb of(%d) title word(devices, %d)." internal", ', n, n, n) . \
        sprintf('$loss%d using 1:(column(3) * 100) with steps lw 1.5 dt (8,4) lc rgb of(%d) title "for huge pages", ', n, n)
}
do for [n = 1:process_count] {
    draw = draw . sprintf('$addresses%d using 1:(column(2) * 100) with steps lw 1.5 dt (2,4) lc rgb of(%d) title "addresses of ".word(processes, %d), ', n, device_count + n, n)
}
draw = draw . 'NaN notitle'
eval draw

set output picture('latency')
set title 'How long calls take, from call to return'
set ylabel 'us' textcolor rgb '#444444'
set key outside right top vertical noenhanced
set yrange [longest > 0 ? shortest * 0.7 : 1:longest > 0 ? longest * 1.4 : 10]
set logscale y
if (longest > 0) {
    plot for [n = 1:words(calls)] ARG1 \
        using (is('call') && strcol('call') eq word(calls, n) ? column('time_ns') / time : NaN):(latency(0)) \
        with points pt (n > 14 ? 9 : n > 7 ? 5 : 7) ps 0.6 lc rgb of(n) title word(calls, n)
} else {
    set title 'No call took any time'
    plot NaN notitle
}
set output
