# SPDX-License-Identifier: Apache-2.0
# Shared by run.sh and test.sh: installs the Debian packages that are missing, configures and builds. Quick when there is nothing to do.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${POOLWRIGHT_BUILD_DIR:-$root/build}

packages=(cmake ninja-build g++ pkg-config ccache
    qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools qt6-translations-l10n libgl-dev
    nlohmann-json3-dev libcli11-dev libexpected-dev libonnx-dev libprotobuf-dev protobuf-compiler zlib1g-dev
    graphviz libgraphviz-dev fonts-dejavu-core python3-onnx python3-numpy
    coinor-cbc) # the last one for tests only

say() { printf '== %s\n' "$*"; }

install_missing() {
    local missing=() package
    for package in "${packages[@]}"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing ${missing[*]}"
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

# The distribution's CMake and compiler first: a version manager's shims in PATH may lack the Debian packages' files.
configure() {
    local launcher=()
    command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    if [ ! -f "$build/build.ninja" ]; then
        say "configuring in $build"
        /usr/bin/cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" >"$build.log" 2>&1 ||
            { cat "$build.log"; exit 1; }
        rm -f "$build.log"
    fi
}

build_all() {
    export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
    configure
    say "building"
    /usr/bin/cmake --build "$build" --parallel "$(nproc)"
}
