#!/bin/sh
# Builds and runs the vector-add benchmark: ampcc's kernel against one written in GLSL, through the same runtime.
# usage: vector_add.sh AMPCC [log2 of the elements [runs]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)/vector_add
ampcc=${1:?usage: vector_add.sh AMPCC [log2 of the elements [runs]]}
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
glslangValidator --quiet -V --target-env vulkan1.2 --vn kernel_spirv "$here/kernel.comp" -o "$work/kernel_spirv.h"
"$ampcc" -O2 -Wall -I "$work" "$here/main.c" "$here/kernel_glsl.c" "$here/kernel.ampc" -o "$work/vector_add"
AMPC_ACCELERATOR=${AMPC_ACCELERATOR:-vulkan} "$work/vector_add" "$@"
