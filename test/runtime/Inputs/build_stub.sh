#!/bin/sh
# build_stub.sh SANITIZER FOLDER SOURCES CC... - the runtime, with the stub of Vulkan (stub_vulkan.h) in place of the
# loader, as FOLDER/SANITIZER.a.
set -e
export SANITIZER="$1" FOLDER="$2" SOURCES="$3"
shift 3
export COMPILE="$* -std=gnu11 -O1 -gline-tables-only -fsanitize=$SANITIZER -fno-omit-frame-pointer -I $SOURCES/include"
export STUB="-Dmalloc=stub_malloc -Dcalloc=stub_calloc -Drealloc=stub_realloc -Dpthread_create=stub_pthread_create \
-Ddlopen=stub_dlopen -Ddlsym=stub_dlsym"
mkdir -p "$FOLDER/$SANITIZER"
cd "$SOURCES/runtime"
find . -name '*.c' | sed 's,^./,,' | xargs -P 2 -I{} sh -c \
  '$COMPILE $STUB -c {} -o "$FOLDER/$SANITIZER/$(echo {} | tr / _).o"'
cd "$FOLDER/$SANITIZER"
volk=$(for d in /usr/include /usr/include/volk /usr/include/Volk; do ls $d/volk.c 2>/dev/null; done | head -1)
$COMPILE -w -c "$volk" -o volk.o
$COMPILE -Wall -Wextra -Werror -c "$SOURCES/test/runtime/Inputs/stub_vulkan.c" -o stub_vulkan.o
rm -f "../$SANITIZER.a"
ar rc "../$SANITIZER.a" ./*.o
