# SPDX-License-Identifier: Apache-2.0
# Usage: gnuplot -c replay.gnuplot SAMPLES.csv FOLDER
# Draws occupancy.svg and fragmentation.svg from the CSV that aclsim replay --trace writes.
set datafile separator ','
set key autotitle columnhead outside top center horizontal
set terminal svg size 1000,520 font 'sans-serif,14' background rgb 'white'
set grid ytics lc rgb '#dddddd'
set border 3 lc rgb '#888888'
set tics nomirror
set xlabel 'request'
set yrange [0:*]

mib = 1048576.0
set output ARG2.'/occupancy.svg'
set title 'What was asked for, and what it took'
set ylabel 'MiB'
plot ARG1 using 0:(column('consumed')/mib) with lines lw 2 lc rgb '#444444' title 'consumed of the device', \
     '' using 0:(column('held')/mib) with lines lw 2 lc rgb '#0072b2' title 'held by the strategy', \
     '' using 0:(column('used')/mib) with lines lw 2 lc rgb '#009e73' title 'used, as rounded', \
     '' using 0:(column('requested')/mib) with lines lw 2 lc rgb '#d55e00' title 'requested'

set output ARG2.'/fragmentation.svg'
set title 'What is lost'
set ylabel '%'
set yrange [0:100]
plot ARG1 using 0:(column('internal_ppm')/10000) with lines lw 2 lc rgb '#d55e00' title 'internal', \
     '' using 0:(column('external_allocator_ppm')/10000) with lines lw 2 lc rgb '#0072b2' title 'external, strategy', \
     '' using 0:(column('external_device_ppm')/10000) with lines lw 2 lc rgb '#009e73' title 'external, device', \
     '' using 0:(column('external_addresses_ppm')/10000) with lines lw 2 lc rgb '#444444' title 'external, addresses'
set output
