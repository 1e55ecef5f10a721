#!/bin/sh
# run.sh AMP_PROGRAM CUDA_PROGRAM [ROUNDS]: alternates the two GPU benchmarks and prints medians and their ratio.
#   ampcc -O2 amp.ampc -o amp && nvcc -O3 -arch=native cuda.cu -o cuda && sh run.sh ./amp ./cuda
set -eu
amp=$1 cuda=$2 rounds=${3:-5}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
i=0
while [ $i -lt "$rounds" ]; do
    "$amp" >>"$out/amp"
    "$cuda" >>"$out/cuda"
    i=$((i + 1))
done
printf '%-14s %-8s %12s %12s %10s\n' benchmark unit AMP-C CUDA AMP-C/CUDA
cut -d' ' -f1,2 "$out/amp" | sort -u | while read -r name unit; do
    a=$(awk -v n="$name" '$1 == n {print $3}' "$out/amp" | sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
    c=$(awk -v n="$name" '$1 == n {print $3}' "$out/cuda" | sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
    printf '%-14s %-8s %12s %12s %10s\n' "$name" "$unit" "$a" "$c" "$(awk "BEGIN {printf \"%.3f\", $a / $c}")"
done
