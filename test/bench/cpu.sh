#!/bin/sh
# Kernels on the CPU accelerator against OpenMP loops compiled by gcc -O3 -march=native -fopenmp; ampcc gets the same host
# compiler and options. usage: cpu.sh AMPCC [runs [scale]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)/cpu
ampcc=${1:?usage: cpu.sh AMPCC [runs [scale]]}
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# gcc contracts a * b + c wherever it comes about; ampcc does only when told so.
flags="-O3 -march=native -fopenmp -ffp-contract=fast"
gcc $flags -Wall -c "$here/loops.c" -o "$work/loops.o"
gcc $flags -Wall -c "$here/main.c" -o "$work/main.o"
"$ampcc" --cc=gcc $flags -Wall "$here/kernels.ampc" "$work/loops.o" "$work/main.o" -o "$work/bench" -lm
AMPC_ACCELERATOR=cpu "$work/bench" "$@"
