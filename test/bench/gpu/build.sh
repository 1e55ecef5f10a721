#!/bin/sh
# build.sh AMPCC DIRECTORY: builds the GPU benchmarks there: amp, vulkan and, where nvcc is, cuda.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ampcc=$1 to=$2
for shader in one triad; do
    glslangValidator --quiet -V --target-env vulkan1.2 --vn ${shader}_spirv "$here/$shader.comp" -o "$to/$shader.h"
done
gcc -O2 -Wall -I "$to" "$here/vulkan.c" -o "$to/vulkan" -lvulkan
"$ampcc" -O2 -Wall "$here/amp.ampc" -o "$to/amp" -lm
if command -v nvcc >/dev/null; then nvcc -O3 -gencode arch=compute_90,code=sm_90 "$here/cuda.cu" -o "$to/cuda"; fi
