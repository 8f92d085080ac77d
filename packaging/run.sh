#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, then does the main job: opens the workbench on the bundled example. Without a display it compiles
# the example, prints the mapping recap and saves screenshots.
set -euo pipefail
source "$(dirname "$0")/common.sh"

install_missing
build_all
model=${1:-$root/resources/examples/keyword_spotting_int8.onnx}
pools=${2:-$root/mpools/stm32n6570-dk-full.mpool}

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    say "opening the workbench"
    exec "$build/app/poolwright" "$model" "$pools"
fi

out=${POOLWRIGHT_OUT:-$root/build/example}
mkdir -p "$out"
say "no display: compiling $(basename "$model") into $out"
"$build/app/poolwright-cli" compile --onnx-input "$model" --load-mpool "$pools" -g network.c --out-dir-prefix "$out/" \
    --native-float --cache-maintenance --Ocache-opt --enable-virtual-mem-pools --mapping-recap
say "saving screenshots in $out/screenshots"
mkdir -p "$out/screenshots"
# The offscreen platform warns about window hints that nobody needs here.
QT_QPA_PLATFORM=offscreen QT_LOGGING_RULES="default.warning=false" "$build/app/poolwright" --screenshots "$out/screenshots" "$model" "$pools"
ls "$out/screenshots"
