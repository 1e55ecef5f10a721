# packages.sh - the Debian packages that AMP-C needs (12 and 13), and small helpers of the two
# scripts that read this file: quickstart.sh and run-tests.sh.
# shellcheck shell=sh

packages_to_build='cmake ninja-build gcc g++ libc6-dev clang-19 llvm-19-dev libclang-19-dev
    libclang-cpp19-dev spirv-headers spirv-tools libvulkan-dev'
packages_to_run='libvulkan1 mesa-vulkan-drivers'
packages_to_test='llvm-19-tools vulkan-validationlayers glslang-tools python3 python3-psutil gdb
    libclang-rt-19-dev'

# Debian 13 renamed the one package whose name differs.
volk_package() {
    if [ -n "$(apt-cache madison libvulkan-volk-dev 2>/dev/null)" ]; then
        echo libvulkan-volk-dev
    else
        echo libvolk-dev
    fi
}

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Words are on standard output, one line a step; what the tools say goes to $log, and is shown when
# a step fails.
step() {
    what=$1
    shift
    printf '%s ... ' "$what"
    started=$(date +%s)
    if "$@" >"$log" 2>&1; then
        echo "done ($(($(date +%s) - started)) s)"
    else
        echo failed
        tail -n 40 "$log" >&2
        fail "$what failed; the whole log is $log"
    fi
}

fail() {
    echo "error: $*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# install_packages NAME...: installs what is missing; without anything missing it needs no network.
install_packages() {
    missing=
    for name in "$@"; do
        installed "$name" || missing="$missing $name"
    done
    if ! installed libvulkan-volk-dev && ! installed libvolk-dev; then
        missing="$missing volk"
    fi
    if [ -z "$missing" ]; then
        echo 'Packages: all there'
        return
    fi
    command -v apt-get >/dev/null ||
        fail "this script installs packages with apt-get (Debian); needed here:$missing"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        fail "installing packages needs root or sudo; needed here:$missing"
    step 'Updating the package lists' as_root apt-get update -q
    case $missing in
    *' volk') missing="${missing% volk} $(volk_package)" ;;
    esac
    # shellcheck disable=SC2086
    step 'Installing packages' as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends $missing
}
