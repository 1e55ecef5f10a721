#!/bin/sh
# Kernels on the CPU accelerator, with ampcc's own choice of host compiler, against the same kernels in OpenCL C on PoCL
# (packages pocl-opencl-icd and ocl-icd-opencl-dev).
# usage: pocl.sh AMPCC [runs [scale]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)/cpu
ampcc=${1:?usage: pocl.sh AMPCC [runs [scale]]}
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# PoCL contracts a * b + c wherever it comes about; ampcc does only when told so.
flags="-O3 -march=native -ffp-contract=fast"
for file in loops main pocl; do
    gcc $flags -fopenmp -Wall -DPEER=pocl -DKERNELS="\"$here/kernels.cl\"" -c "$here/$file.c" -o "$work/$file.o"
done
"$ampcc" $flags -Wall "$here/kernels.ampc" "$work"/*.o -o "$work/bench" -lm -lOpenCL -lgomp
AMPC_ACCELERATOR=cpu "$work/bench" "$@"
