#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The walls between the folders of src/main/c: kernel, clock, serve, jvm. Each knows itself and those before it. So what
# the server's thread calls is never the JVM, and a read never waits for the server.
# preload knows kernel and clock; helper has system calls from kernel.
#
# clock/divide/ has one door, divide.h, and keeps what is in the record (division.h).
#
# Within clock/, a file (NAME.c with NAME.h) stands one floor above the highest of those that it includes or calls. There
# is no circle, and a reader of the code climbs few floors.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

readonly floors_max=8
readonly -A may=([kernel]='include kernel' [clock]='include kernel clock' [serve]='include kernel clock serve'
  [jvm]='include kernel clock serve jvm' [preload]='include kernel clock preload' [helper]='kernel' [include]='include')

breaches() { # folder of sources: those that include what they must not, and folders that have no place
  local file from to
  while IFS=: read -r file to; do
    from=${file#"$1"/}
    from=${from%%/*}
    [[ " ${may[$from]-} " == *" $to "* ]] || printf '%s includes %s/\n' "${file#"$1"/}" "$to"
  done < <(grep -roE --include='*.[ch]' '^# *include "[^"/]+/' "$1" | sed 's/# *include "//; s|/$||')
}

includes() { # folder of sources: NAME OTHER, a line for each file of the folder that another one includes
  (cd "$1" && grep -roE --include='*.[ch]' "^#include \"${1##*/}/([a-z_]+/)?[a-z_]+" .) | sed -E 's|^\./([a-z_]+/)?||; s|\.[ch]:.*/| |'
}

calls() { # folder of objects: as includes(), for names that the other one defines. Some are declared in threadclock.h
  find "$1" -name '*.o' -exec nm --print-file-name {} + | sed -E 's|^[^:]*/||; s|\.o:| |' | awk '
    $(NF - 1) == "U" { called[$1, $NF] }
    $(NF - 1) ~ /[A-TV-Z]/ { home[$NF] = $1 }
    END { for (call in called) { split(call, c, SUBSEP); if (c[2] in home) print c[1], home[c[2]] } }'
}

circle() { # NAME OTHER…: the files of a circle
  tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z_]*\)$/\1/p'
}

floors() { # NAME OTHER…: how many there are; as many as lines if there is a circle
  awk '$1 != $2 { above[NR] = $1; below[NR] = $2 }
    END {
      for (round = 1; round < NR; round++)
        for (i in above) if (floor[above[i]] <= floor[below[i]]) floor[above[i]] = floor[below[i]] + 1
      for (name in floor) if (floor[name] > top) top = floor[name]
      print top + 1
    }'
}

is "$(breaches src/main/c)" '' 'every folder includes itself and those before it alone'

mkdir "$scratch"/{clock,serve}
printf '#include "serve/server.h"\n' >"$scratch/clock/planted.c"
printf '#include <jni.h>\n#include "jvm/setup.h"\n' >"$scratch/serve/planted.c"
is "$(breaches "$scratch" | sort)" 'clock/planted.c includes serve/
serve/planted.c includes jvm/' 'breaches on purpose are found'
is "$(grep -rlE '^# *include <jni|jvmti' src/main/c/{kernel,clock,serve,preload} || true)" '' 'none but jvm/ knows JNI'
is "$(grep -lE '__atomic_[a-z_]+\(&?[a-z_>-]*record->' src/main/c/*/*.[ch])" src/main/c/clock/record.c$'\n'src/main/c/clock/record.h \
  'the order in which a record is loaded and stored is told in its own file'

is "$(grep -rE '^#include "clock/divide/' --include='*.[ch]' src/main/c | grep -vE '^src/main/c/clock/divide/|^src/main/c/clock/record.h:.*/division.h"|/divide.h"' || true)" '' \
  'clock/divide/ has one door'
edges=$(includes src/main/c/clock && calls "$BUILD/lib/clock")
like "$(calls "$BUILD/lib/clock")" 'thread_clock resync' 'calls from one file of clock/ to another are found'
is "$(circle <<<"$edges")" '' 'no files of clock/ include or call each other in a circle'
at_most "$(floors <<<"$edges")" "$floors_max" 'the files of clock/ stand on few floors'

# ---- the walls of the gate (test.mk) ----

impatient() { # programs…: those outside TIMING that give up a wait after some time, and leave nothing to a wide run
  grep -lE 'PATIENCE|until_ns' "$@" | xargs -r grep -L kind_judges_timing | while read -r program; do
    [[ " $TIMING " == *" $(basename -- "$program" .c) "* ]] || printf '%s\n' "$program"
  done
}

is "$(impatient src/test/c/{fake,real}/*_test.c)" '' 'a program of the gate waits for events'
printf 'while (wall_ns() < until_ns) {\n' >"$scratch/planted_test.c"
is "$(impatient "$scratch/planted_test.c")" "$scratch/planted_test.c" 'one that waits for a time on purpose is found'

printf '#include "clock/lower.h"\n' | tee "$scratch/clock/upper.c" >"$scratch/clock/middle.h"
printf '#include "clock/middle.h"\n' >>"$scratch/clock/upper.c"
is "$(includes "$scratch/clock" | floors)" 3 'each file stands above those that it includes'
printf '#include "clock/upper.h"\n' >"$scratch/clock/lower.c"
like "$(includes "$scratch/clock" | circle)" lower 'a circle on purpose is found'

done_testing
