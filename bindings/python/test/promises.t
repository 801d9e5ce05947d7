#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The promises of the Python package, built for the Python that is here; package.t has all the rest.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../../launcher/test/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1

readonly sentence='no promise is broken in Python'
include=$(command -v python3 >/dev/null && python3 -c 'import sys, sysconfig; sys.version_info >= (3, 8) and print(sysconfig.get_path("include"))' 2>/dev/null)
if [[ ! -e $include/Python.h ]]; then
  skip "$sentence" 'python3, 3.8 or newer, with Python.h'
  done_testing
  exit
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-test.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export PYTHONDONTWRITEBYTECODE=yes

said=$(PYTHONPATH=backend python3 -c 'import sys, threadclock_build; print(threadclock_build.build_wheel(sys.argv[1]))' "$scratch" 2>&1)
is "$?" 0 'the package is built'
python3 -m zipfile -e "$scratch/${said##*$'\n'}" "$scratch/installed" || tap_explain "$said"
like "$(cd tests && PYTHONPATH=$scratch/installed python3 -W error -m unittest -v -k Promises 2>&1)" \
  $'Ran [1-9][0-9]* tests in .*\nOK' "$sentence"

done_testing
