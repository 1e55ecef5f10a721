#!/bin/sh
# quickstart.sh - from a fresh Debian to a program that has run on an accelerator: installs the
# packages, builds ampcc in build/, compiles samples/vector_add.ampc, and runs it.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$source/build
. "$source/cmake/packages.sh"
mkdir -p "$build"
log=$build/quickstart.log

# shellcheck disable=SC2086
install_packages $packages_to_build $packages_to_run
step 'Configuring' cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release
step 'Building ampcc and the runtime (a few minutes)' cmake --build "$build"

program=$build/vector_add
step 'Compiling samples/vector_add.ampc' \
    "$build/bin/ampcc" -O2 "$source/samples/vector_add.ampc" -o "$program"

echo 'Running it:'
if ! AMPC_LOG=1 "$program" 2>"$log"; then
    cat "$log" >&2
    fail "vector_add failed"
fi
accelerator=$(sed -n 's/^ampc: default accelerator //p' "$log" | head -n 1)
[ -n "$accelerator" ] || fail "vector_add does not say what it ran on; see $log"
echo "It ran on: $accelerator"
echo "Compile programs with: $build/bin/ampcc file.ampc -o program"
