#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The walls between the folders of src/main/c: kernel, clock, serve, jvm. Each knows itself and those before it. So what
# the server's thread calls is never the JVM, and a read never waits for the server.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly -A may=([kernel]='include kernel' [clock]='include kernel clock' [serve]='include kernel clock serve'
  [jvm]='include kernel clock serve jvm' [include]='include')

breaches() { # folder of sources: those that include what they must not, and folders that have no place
  local file from to
  while IFS=: read -r file to; do
    from=$(basename -- "$(dirname -- "$file")")
    [[ " ${may[$from]-} " == *" $to "* ]] || printf '%s includes %s/\n' "${file#"$1"/}" "$to"
  done < <(grep -roE --include='*.[ch]' '^# *include "[^"/]+/' "$1" | sed 's/# *include "//; s|/$||')
}

is "$(breaches src/main/c)" '' 'every folder includes itself and those before it alone'

sandbox=$(mktemp -d)
trap 'rm -r -- "$sandbox"' EXIT
mkdir "$sandbox"/{clock,serve}
printf '#include "serve/server.h"\n' >"$sandbox/clock/planted.c"
printf '#include <jni.h>\n#include "jvm/setup.h"\n' >"$sandbox/serve/planted.c"
is "$(breaches "$sandbox" | sort)" 'clock/planted.c includes serve/
serve/planted.c includes jvm/' 'breaches on purpose are found'
is "$(grep -rlE '^# *include <jni|jvmti' src/main/c/{kernel,clock,serve} || true)" '' 'none but jvm/ knows JNI'

done_testing
