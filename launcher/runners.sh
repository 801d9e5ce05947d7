# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What prove (tap) and Maven (surefire) say of the tests that they run: which were red, how many, and how long they took.

suite_runner() { # unit
  if [[ $1 == java ]]; then printf surefire; else printf tap; fi
}

# Prints each red program and how many of its tests failed: none of one that ended early.
suite_red() { # unit, name of its run
  "suite_red_$(suite_runner "$1")" "$state/$2.log"
}

# prove's summary names them, whatever was wrong.
suite_red_tap() { # log
  sed -nE 's/^([^ ].*[^ ]) +\(Wstat: .* Failed: ([0-9]+)\).*/\1\t\2/p' "$1"
}

suite_count_tap() { # unit's files: prints passed, failed and skipped tests
  find "$1.tap" -type f -exec cat -- {} + | awk '
    { line = tolower($0) }
    line ~ /^1\.\.0.*# *skip/ { skipped++; next }
    line ~ /^(not )?ok.*# *skip/ { skipped++; next }
    line ~ /^not ok/ { failed++; next }
    line ~ /^ok/ { passed++ }
    END { print passed + 0, failed + 0, skipped + 0 }'
}

# Prints each failed test with its diagnosis, under the program's name.
suite_failures_tap() { # unit's files
  find "$1.tap" -type f | LC_ALL=C sort | while IFS= read -r tap; do
    awk -v program="${tap#"$1.tap"/}" '
      /^not ok/ && tolower($0) !~ /# *skip/ { if (!failed++) print program; shown = 1; print "  " $0; next }
      /^ *#/ && shown { print "  " $0; next }
      { shown = 0 }' "$tap"
  done
}

suite_sentence_tap() { # unit's files, program
  sed -nE '/^not ok/ { s/^not ok [0-9]* *-? *//p; q }' "$1.tap/$2" 2>/dev/null || true
}

suite_seconds_tap() { # log
  sed -nE 's/^(\[[0-9:]+\] )?([^ ]+) \.+ ok +([0-9]+) ms.*/\3 \2/p' "$1" | awk '{ print $1 / 1000, $2 }'
}

suite_red_surefire() { # log
  awk '
    / <<< (FAILURE|ERROR)! -+ in / && /Tests run: / {
      class = $NF; sub(/\$.*/, "", class)
      gsub(/.*Failures: /, ""); failures = $0 + 0; gsub(/.*Errors: /, ""); red[class] += failures + $0
    }
    END { for (class in red) print class "\t" red[class] }' "$1" | LC_ALL=C sort
}

# One line per module and runner ends with the number of skipped tests; the lines per class go on. A JVM of the tests that
# crashed takes classes with it that nobody names, so no other try excuses it.
suite_count_surefire() { # unit's files: prints passed, failed and skipped tests
  awk '
    /Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+(, Flakes: [0-9]+)?$/ {
      sub(/, Flakes.*/, "")
      gsub(/[^0-9 ]/, "")
      run += $1; failed += $2 + $3; skipped += $4
    }
    / forked VM terminated | error in the fork/ { crashed = 1 }
    END { print run - failed - skipped, failed + crashed, skipped + 0 }' "$1.log"
}

# The summary that Surefire and Failsafe print at the end of a module, what they say of a JVM that crashed, the modules that
# Maven left out for it, and the classes that ran when Maven was cut off.
suite_failures_surefire() { # unit's files
  awk '
    / Running [^ ]*$/ { runs[$NF] }
    / -- in / { delete runs[$NF] }
    / BUILD (SUCCESS|FAILURE)$/ { runs_on = 0; exit }
    { runs_on = 1 }
    END { if (runs_on) for (class in runs) print "hung, or cut off: " class }' "$1.log"
  grep -A 1 -E '^\[ERROR\] (Crashed tests|Process Exit Code|.* forked VM terminated|.* error in the fork)' "$1.log" | sort -u || true
  sed -nE 's/^\[INFO\] (.*[^ .]) \.+ SKIPPED$/not tested for that: \1/p' "$1.log"
  sed -nE '/^\[ERROR\] (Failures|Errors): *$/,/Tests run: .*, Skipped: [0-9]+/ { /Tests run: /!p }' "$1.log"
}

suite_sentence_surefire() { # unit's files, class
  sed -nE "s/^\[ERROR\] ${2//./\\.}[.\$]?([^ ]*).* <<< (FAILURE|ERROR)!$/\1/p" "$1.log" | paste -sd ' '
}

suite_seconds_surefire() { # log
  sed -nE 's/.*Time elapsed: ([0-9.]+) s .*-- in ([^ ]+)$/\1 \2/p' "$1"
}
