#!/bin/sh
# run-tests.sh - builds everything with warnings as errors, in build/tests, and runs every test.
# The last line is "N passed, N failed, N skipped"; the exit code is 0 if none failed.
# Arguments are handed on to lit: `run-tests.sh --filter=restrict`.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$source/build/tests
. "$source/cmake/packages.sh"
mkdir -p "$build"
log=$build/run-tests.log

finish() {
    status=$?
    trap - EXIT
    [ $status = 0 ] || [ -n "${counted:-}" ] || echo '0 passed, 1 failed, 0 skipped'
    exit $status
}
trap finish EXIT

# shellcheck disable=SC2086
install_packages $packages_to_build $packages_to_run $packages_to_test
step 'Configuring' cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release \
    -DAMPC_WERROR=ON
step 'Building (a few minutes)' cmake --build "$build"

echo 'Testing ...'
results=$build/results.json
rm -f "$results"
# The system's Python has the package that lit needs for time limits.
/usr/bin/python3 /usr/lib/llvm-19/build/utils/lit/lit.py -sv --no-progress-bar \
    --output "$results" "$@" "$build/test" >"$log" 2>&1 || true
[ -f "$results" ] || {
    cat "$log" >&2
    fail 'lit did not run'
}
# What failed, with its output; the summary below replaces lit's.
grep -v '^-- Testing:' "$log" || true
counted=yes
/usr/bin/python3 - "$results" <<'END'
import collections, json, sys
codes = collections.Counter(t["code"] for t in json.load(open(sys.argv[1]))["tests"])
passed = sum(codes[c] for c in ("PASS", "XFAIL", "FLAKYPASS"))
skipped = sum(codes[c] for c in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"))
failed = sum(codes.values()) - passed - skipped
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed != 0 or passed == 0)
END
