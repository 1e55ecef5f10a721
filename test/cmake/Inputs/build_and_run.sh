# build_and_run.sh GENERATOR FIND_FIRST SOURCE BUILD PREFIX: builds the consumer, runs every program,
# changes a header, and does so again.
set -eu
cmake -G "$1" -DFIND_FIRST="$2" -S "$3" -B "$4" -DCMAKE_PREFIX_PATH="$5"
run() {
    cmake --build "$4" -j 2
    for program in mixed alone through_static through_shared through_mixed_shared both through_objects sub/in_sub api; do
        echo "$program: $("$4/$program")"
    done
}
run "$@"
sleep 1
echo '#define FACTOR 5' > "$3/include/factor.h"
run "$@"
echo 'nothing to do:'
cmake --build "$4"
