#!/bin/sh
# run.sh AMP_PROGRAM VULKAN_PROGRAM CUDA_PROGRAM [ROUNDS [small]]: runs the three GPU benchmarks in turn and prints medians and
# ratios; "-" for a program that is not to be run. build.sh builds them.
set -eu
amp=$1 vulkan=$2 cuda=$3 rounds=${4:-3} size=${5:-}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export XDG_CACHE_HOME="$out/cache" # the first round fills it
: "${AMPC_ACCELERATOR:=vulkan}"
export AMPC_ACCELERATOR
touch "$out/amp" "$out/vulkan" "$out/cuda"

# Milliseconds from before a program starts until it has ended, ten times; the first, which fills the cache, does not count.
start_of() {
    "$@" start ${cache_file:-}
    for k in 1 2 3 4 5 6 7 8 9 10; do
        before=$(date +%s%N)
        "$@" start ${cache_file:-}
        after=$(date +%s%N)
        echo "start ms $(((after - before) / 1000)) 1000" | awk '{print $1, $2, $3 / $4}'
    done
}

i=0
while [ $i -lt "$rounds" ]; do
    "$amp" $size >>"$out/amp"
    [ "$vulkan" = - ] || "$vulkan" $size >>"$out/vulkan"
    [ "$cuda" = - ] || "$cuda" >>"$out/cuda"
    i=$((i + 1))
done
start_of "$amp" >>"$out/amp"
[ "$vulkan" = - ] || cache_file="$out/pipelines" start_of "$vulkan" >>"$out/vulkan"
[ "$cuda" = - ] || start_of "$cuda" >>"$out/cuda"

median() { # FILE NAME
    awk -v n="$2" '$1 == n {print $3}' "$1" | sort -g | awk '{v[NR] = $1} END {print NR ? v[int((NR + 1) / 2)] : "-"}'
}
ratio() { # A B
    awk -v a="$1" -v b="$2" 'BEGIN {if (b == "-") print "-"; else printf "%.3f", a / b}'
}
printf '%-16s %-8s %10s %10s %10s %12s %10s\n' benchmark unit AMP-C Vulkan CUDA AMP-C/Vulkan AMP-C/CUDA
awk '!seen[$1]++ {print $1, $2}' "$out/amp" | while read -r name unit; do
    a=$(median "$out/amp" "$name") v=$(median "$out/vulkan" "$name") c=$(median "$out/cuda" "$name")
    printf '%-16s %-8s %10s %10s %10s %12s %10s\n' "$name" "$unit" "$a" "$v" "$c" "$(ratio "$a" "$v")" "$(ratio "$a" "$c")"
done
