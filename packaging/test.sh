#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, runs every test. The last line is "N passed, N failed, N skipped".
set -euo pipefail
source "$(dirname "$0")/common.sh"

install_missing
build_all
say "testing"
export QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
status=0
/usr/bin/ctest --test-dir "$build" --no-tests=error --parallel "$(nproc)" --output-on-failure --timeout 600 "$@" || status=$?

# Each QtTest program ends with its own totals; a program that died without them counts as one failure.
awk -v status="$status" '
    /^Totals: / { passed += $2; failed += $4; skipped += $6; seen = 1 }
    /^SKIP  *:/ { reasons[$0] = 1 }
    /^<end of output>/ { if (!seen) dead++; seen = 0 }
    END {
        for (reason in reasons) print reason
        failed += dead
        if (status != 0 && failed == 0) failed = 1
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    }' "$build/Testing/Temporary/LastTest.log"
exit "$status"
