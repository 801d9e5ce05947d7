#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Has tools look at the layout, the scripts and the workflows, where they are here.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1

# Other versions lay out some lines in another way.
readonly CLANG_FORMAT=14

status=0
said=$(./mvnw -q -N spotless:check 2>&1) || status=$?
is "$status" 0 'every Java source is formatted; ./mvnw -N spotless:apply does it'
((status == 0)) || tap_explain "$said"

for formatter in "clang-format-$CLANG_FORMAT" clang-format ''; do
  ! grep -qF " version $CLANG_FORMAT." <<<"$("$formatter" --version 2>/dev/null)" || break
done
if [[ -n $formatter ]]; then
  said=$(git ls-files '*.c' '*.h' | xargs "$formatter" --dry-run 2>&1 | grep -F 'warning:' | head -n 20)
  is "$said" '' "every C source and its comments are formatted; git ls-files '*.c' '*.h' | xargs $formatter -i does it"
else
  skip 'every C source and its comments are formatted' "clang-format $CLANG_FORMAT"
fi

readonly ACTIONLINT=1.7.7

# The machine's, or else that of Go's modules, which is built once.
find_actionlint() {
  local folder=${THREADCLOCK_CACHE:-${XDG_CACHE_HOME:-~/.cache}/threadclock}/actionlint-$ACTIONLINT
  command -v actionlint && return
  [[ -x $folder/actionlint ]] || GOBIN=$folder timeout 300 go install "github.com/rhysd/actionlint/cmd/actionlint@v$ACTIONLINT" >&2 || return
  printf '%s' "$folder/actionlint"
}
if ! { command -v actionlint || command -v go; } >/dev/null; then
  skip 'the workflows are clean under actionlint' 'neither actionlint nor go is here'
elif ! actionlint=$(find_actionlint 2>/dev/null); then
  skip 'the workflows are clean under actionlint' "Go cannot fetch it: go install github.com/rhysd/actionlint/cmd/actionlint@v$ACTIONLINT"
else
  # actionlint looks for the workflows of a git repository unless it is given files.
  none "$("$actionlint" -oneline .github/workflows/*.yml 2>&1)" 'the workflows are clean under actionlint'
fi

if command -v kubernetes-validate >/dev/null; then # pip install kubernetes-validate, which has the schemas
  none "$(kubernetes-validate --strict --quiet examples/kubernetes/*.yaml 2>&1)" 'what is for Kubernetes keeps its schemas'
else
  skip 'what is for Kubernetes keeps its schemas' 'kubernetes-validate is not installed'
fi

if command -v shellcheck >/dev/null; then
  none "$(shellcheck -x -a threadclock 2>&1)" 'the launcher is clean under shellcheck'
  none "$(shellcheck -x mvnw .ci/run cli/src/main/sh/threadclock .ci/compare launcher/fetch.sh bench/flamegraph native/src/test/guest/*.sh 2>&1)" 'so are mvnw, .ci/run and the scripts that are run'
  # Stand-ins are scripts in single quotes; what the sandbox leaves, not every test reads; rows of tables are split into words.
  none "$(shellcheck -x -P SCRIPTDIR -e SC2016,SC2034,SC2086 launcher/test/*.{t,sh} native/test/*.t bindings/*/test/*.t 2>&1)" 'and the tests'
else
  skip 'the shell scripts are clean under shellcheck' 'shellcheck is not installed'
fi

done_testing
