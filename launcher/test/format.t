#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the formatters would not change the sources.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1

# Other versions lay out some lines in another way.
readonly CLANG_FORMAT=14

c_formatter() {
  local name
  for name in "clang-format-$CLANG_FORMAT" clang-format; do
    if command -v "$name" >/dev/null && [[ $("$name" --version) == *" version $CLANG_FORMAT."* ]]; then printf '%s' "$name" && return; fi
  done
  return 1
}

status=0
said=$(./mvnw -q -N spotless:check 2>&1) || status=$?
is "$status" 0 'every Java source is formatted; ./mvnw -N spotless:apply does it'
((status == 0)) || tap_explain "$said"

if formatter=$(c_formatter); then
  said=$(git ls-files '*.c' '*.h' | xargs "$formatter" --dry-run 2>&1 | grep -F 'warning:' | head -n 20)
  is "$said" '' "every C source and its comments are formatted; git ls-files '*.c' '*.h' | xargs $formatter -i does it"
else
  skip 'every C source and its comments are formatted' "clang-format $CLANG_FORMAT"
fi
done_testing
