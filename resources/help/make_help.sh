#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures and tables of the help pages anew from the built programs. The table of models needs the shared test material.
set -euo pipefail
help=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$help/../.." && pwd)
app=${POOLWRIGHT_BUILD_DIR:-$root/build}/app
shared=${POOLWRIGHT_SHARED:-$root/../shared}
pools=$root/mpools/stm32n6570-dk-full.mpool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8

cd "$root"
mkdir -p "$help/screenshots"
"$app/poolwright" --screenshots "$work" resources/examples/image_classifier_int8.onnx "$pools" 2>/dev/null
"$app/poolwright" --screenshots "$work" --dark resources/examples/image_classifier_int8.onnx "$pools" 2>/dev/null
cp "$work/window.png" "$help/screenshots/workbench-light.png"
cp "$work/window-dark.png" "$help/screenshots/workbench-dark.png"

"$app/poolwright-cli" options --format md >"$help/options.md"
"$app/poolwright-cli" operators --format md --cases tests/golden/ops/cases.csv >"$help/operators.md"
"$app/poolwright-cli" lint --rules >"$help/op-lint.md"

if [ -d "$shared/models" ]; then
    {
        cat <<'TEXT'
# How models of a test collection fare

Made by `poolwright-cli models --format md` with the pools `stm32n6570-dk-full.mpool`, virtual pools and native float on, random inputs. The models are
public ones and not part of this repository.

"Equal, each epoch on exact inputs" feeds every epoch the reference interpreter's values, so that a difference is that epoch's own; it
counts all values of all epochs. "Equal, outputs after all epochs" lets the emulator run through: the units round three times where the reference rounds
once, and on random inputs single steps grow through a deep network; reals count as equal within 1e-6. `max` is the largest difference, in steps for integers.

TEXT
        "$app/poolwright-cli" models "$shared/models/oe" "$shared/models/qdq" "$shared/models/float" resources/examples \
            --load-mpool "$pools" --format md 2>/dev/null
    } >"$help/models.md"
fi
