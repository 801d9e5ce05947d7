#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Python package's wheel for aarch64, in an emulated Python for aarch64.
source "$(dirname -- "${BASH_SOURCE[0]}")/../sh/tap.sh"

readonly package=$PWD/../bindings/python
readonly sentence='the tests of the Python package pass with its wheel for aarch64'

# Those that start another Python are left out: the emulator can start no program for aarch64.
modules() {
  (cd "$package/tests" && grep -L sys.executable test_*.py | sed 's/[.]py$//')
}

said=$("$package/build_wheels" "$scratch/dist" aarch64-linux-gnu.2.17 2>&1)
status=$?
if ((status == 69)); then
  skip "$sentence" "${said##*$'\n'}"
  done_testing
  exit
fi
is "$status" 0 'the wheel is built'
python3 -m zipfile -e "$scratch"/dist/*aarch64.whl "$scratch/package"
mapfile -t modules < <(modules)
said=$(cd "$package/tests" && PYTHONPATH=$scratch/package PYTHONHOME=$PLATFORM_ARM/usr PYTHONDONTWRITEBYTECODE=1 \
  "$PLATFORM_QEMU" -L "$PLATFORM_ARM" "$PLATFORM_ARM/usr/bin/python3.11" -W error -m unittest "${modules[@]}" 2>&1)
like "$said" $'Ran [1-9][0-9]* tests in .*\nOK' "$sentence"
printf '%s\n' "$said" | sed -n 's/^Ran /# ran /p'

done_testing
