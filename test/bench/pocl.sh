#!/bin/sh
# Kernels on the CPU accelerator against the same kernels in OpenCL C on PoCL (packages pocl-opencl-icd and ocl-icd-opencl-dev).
# usage: pocl.sh AMPCC [runs [scale]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)/cpu
ampcc=${1:?usage: pocl.sh AMPCC [runs [scale]]}
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O3 -march=native -fopenmp"
for file in loops main pocl; do
    gcc $flags -Wall -DPEER=pocl -DKERNELS="\"$here/kernels.cl\"" -c "$here/$file.c" -o "$work/$file.o"
done
"$ampcc" --cc=gcc $flags -Wall "$here/kernels.ampc" "$work"/*.o -o "$work/bench" -lm -lOpenCL
AMPC_ACCELERATOR=cpu "$work/bench" "$@"
