#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create

for wrong in '' frobnicate 'test --frobnicate' 'build now' 'test --wide --native' 'test --checks --jdks=8' 'demo --jdks=8' 'demo --jdks='; do
  sandbox_run $wrong
  is "$status $out" '2 ' "'$wrong' is a usage error"
done
for command in '' demo test bench accuracy soak build jdks dist release verify; do
  sandbox_run $command --help
  like "$status $out" "^0 Usage: ./threadclock ${command:-COMMAND}" "$command --help says how it is used"
done
is "$(sandbox_calls .)" 0 'nothing is built for that'

# What the launcher says of the Java programs, and what they say of themselves.
sandbox_run help
listed=$(tr -s ' \n' ' ' <<<"$out")
packed=$(sed -n 's/^    \(attach .*\)) cli_start .*/\1/p' "$checkout/threadclock" | tr -d '|')
is "$(wc -w <<<"$packed")" 8 'the commands that are packed are known'
for command in $packed; do
  class=$(grep -rlE "^ +name = \"(threadclock )?$command\"," "$launcher_source"/cli/src/main/java)
  header=$(sed -n 's/^ *header = "\(.*\)\.",$/\1/p' "$class")
  like "$listed" " $command ${header,} [a-z]+ " "help says of $command what $command --help says first"
done

printf '    <%s</%s>\n' revision{'>7.8.9',} changelist{'>-SNAPSHOT',} >"$checkout/pom.xml"
sandbox_run version
is "$status $out" '0 threadclock 7.8.9-SNAPSHOT' 'version tells the version'
sandbox_fake git <<<'echo v7.8.9-rc1'
sandbox_run version
is "$status $out" '0 threadclock 7.8.9-rc1' 'that of a tag, in a checkout that is at one'

done_testing
