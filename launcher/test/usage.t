#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
sandbox_create

sandbox_run
is "$status" 2 'no command is a usage error'

sandbox_run frobnicate
is "$status" 2 'an unknown command is a usage error'
like "$err" "unknown command 'frobnicate'" 'it is named'
like "$err" 'Usage: ./threadclock COMMAND' 'the usage follows'
is "$out" '' 'standard output stays empty'

sandbox_run test --frobnicate
is "$status" 2 'an unknown option of test is a usage error'

sandbox_run build now
is "$status" 2 'an argument of build is a usage error'

for asked in help --help -h; do
  sandbox_run "$asked"
  is "$status $err" '0 ' "$asked succeeds"
  like "$out" 'demo .* test .* bench .* build ' "$asked lists the commands"
done

packed=$(sed -n 's/^    \(attach .*\)) cli_start .*/\1/p' "$checkout/threadclock" | tr -d '|')
is "$(wc -w <<<"$packed")" 7 'the commands that are packed are known'
for command in $packed; do
  like "$(tr -s ' \n' ' ' <<<"$out")" "dist pack [^.]*${command}[^.]*into an archive" "help says that dist packs $command"
done

listed=$(tr -s ' \n' ' ' <<<"$out")
for command in demo bench accuracy soak ingest $packed; do
  class=$(grep -rlE "^ +name = \"(threadclock )?$command\"," "$launcher_source"/threadclock-{cli,lab}/src/main/java)
  header=$(sed -n 's/^ *header = "\(.*\)\.",$/\1/p' "$class")
  like "$listed" " $command ${header,} [a-z]+ " "help says of $command what $command --help says first"
done

sandbox_run help dist
is "$status" 0 'help of a command succeeds'
like "$out" '^Usage: ./threadclock dist' 'and is what the command says of itself'

printf '    <%s</%s>\n' revision{'>7.8.9',} changelist{'>-SNAPSHOT',} >"$checkout/pom.xml"
sandbox_run version
is "$status $out" '0 threadclock 7.8.9-SNAPSHOT' 'version tells the version'
sandbox_fake git <<<'echo v7.8.9-rc1'
sandbox_run version
is "$status $out" '0 threadclock 7.8.9-rc1' 'that of a tag, in a checkout that is at one'

for command in test build jdks dist release verify; do
  sandbox_run "$command" --help
  is "$status" 0 "$command --help succeeds"
  like "$out" "Usage: ./threadclock $command" "$command --help says how it is used"
done
is "$(sandbox_calls .)" 0 'help builds nothing'

sandbox_run help bench
is "$status $(sandbox_calls '^java .*\.Bench --help$')" '0 1' 'a Java program says itself how it is used'
sandbox_run run --help
is "$status $(sandbox_calls '^java .*\.ThreadClockCommand run --help$')" '0 1' 'so does run'

sandbox_fake uname <<<'case $1 in -s) echo Darwin ;; -m) echo arm64 ;; esac'
sandbox_run build
is "$status" 1 'another platform is refused'
like "$err" '^threadclock: .*this is Darwin arm64\. Use [^'$'\n'']*$' 'in one line that names it'

sandbox_create_elsewhere() { # name of the checkout's folder
  mkdir -p "$sandbox/$1"
  cp -r "$checkout/." "$sandbox/$1/"
}
sandbox_fake_machine
sandbox_create_elsewhere 'a:b'
checkout=$sandbox/a:b
sandbox_run build
is "$status" 1 "a checkout whose path has a ':' is refused"
like "$err" '^threadclock: [^'$'\n'']*Move the checkout\.$' 'in one line that says what to do'

done_testing
