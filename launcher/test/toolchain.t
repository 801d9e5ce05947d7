#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A tool that is missing: which package is installed or named, and what is left out without it.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"

one_line() { # regular expression, sentence
  like "$status $err" "^1 threadclock: $1[^"$'\n'"]*\$" "$2"
}

sandbox_with_apt() { # what apt offers…
  sandbox_create
  sandbox_fake_apt
  sandbox_fake apt-cache <<<"echo apt-cache >>\"\$CALLS\"; printf '%s\\n' $*"
  sandbox_on_install <<'END_OF_INSTALLATION'
printf '#!/bin/bash\ncat >/dev/null\n' >"$(dirname "$0")/gcc" && chmod +x "$(dirname "$0")/gcc"
END_OF_INSTALLATION
}

not_root() {
  sandbox_fake id <<<'echo 1000'
}

# ---- required ----

sandbox_create
sandbox_without gcc
sandbox_run build
one_line 'missing here: compiler .*no apt-get' 'without compiler and apt-get one line says so'

sandbox_with_apt
not_root
sandbox_without gcc make prove
sandbox_run test --native --analysis
one_line 'missing here: .* Run: apt-get install gcc libc6-dev make perl clang libclang-rt-dev clang-tidy$' \
  'without root and sudo one line names the packages, each once'
is "$(sandbox_calls apt-get)" 0 'and apt-get is not called'
sandbox_fake sudo <<<'echo "sudo $*" >>"$CALLS"; [[ $1 != -n ]] || shift; exec "$@"'
ln -sf "$(type -P make)" "$sandbox/bin/make"
sandbox_run build
is "$status $(sandbox_calls '^sudo -n env .* apt-get ')" '0 3' 'a user of sudo gets what is missing, through sudo alone'

sandbox_with_apt
sandbox_without gcc prove
sandbox_run build
is "$status $(sandbox_calls 'apt-get .* update ') $(sandbox_calls --download-only)" '0 1 1' 'root gets what is missing, after one update'
is "$(sandbox_calls 'apt-get .*install -y --no-install-recommends gcc libc6-dev frontend=noninteractive')" 1 \
  'which is exactly what the command needs, without a question'
sandbox_forget_calls
sandbox_run build
is "$status $(sandbox_calls apt-)" '0 0' 'with nothing missing apt is not called, not even to update'

sandbox_with_apt
sandbox_without gcc
sandbox_fake apt-get <<'END'
case "$*" in
  *update*) echo 'W: Failed to fetch http://mirror/x  Temporary failure resolving mirror'; echo 'W: Some index files failed' ;;
  *) echo 'E: Unable to locate package gcc' >&2; exit 100 ;;
esac
END
sandbox_run build
like "$status $err" "^1 threadclock: missing here, installed with apt-get: gcc libc6-dev"$'\n'"threadclock: .*E: Unable to locate package gcc [^"$'\n'"]*Temporary failure resolving mirror.*apt\.log$" \
  "without a network it fails with apt's answers, and says where all of them are"

sandbox_with_apt
sandbox_without gcc
sandbox_on_install <<<''
sandbox_run build
like "$status $err" '^1 .*installed what apt-get has for: compiler .*none that works' 'an installation that does not help is not believed'
compiler='no-such-compiler -m32'
sandbox_forget_calls
sandbox_run build
one_line 'CC=no-such-compiler -m32 does not compile ' 'a CC that does not compile is named'
is "$(sandbox_calls apt-get)" 0 'and no other compiler is installed'
compiler=

if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
  TMPDIR=/tmp sandbox_create # the launcher's own is closed to others
  sandbox_run build
  chmod 755 "$sandbox" "$checkout/.build"
  ln -s "$(type -P setpriv)" "$sandbox/bin/"
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  sandbox_run build
  one_line '[^'$'\n'']*/\.build belongs to root and may not be written\. ' 'outputs of another user end in one line'
  as_user=()
else
  skip 'outputs of another user end in one line' 'needs root to become another user'
fi

# ---- a JDK, on a machine that has only those of the sandbox ----

sandbox_without_jdks() { # what apt offers…
  sandbox_with_apt "$@"
  sed -i 's|/usr/lib/jvm/\* /opt/\*jdk\*|"$HOME"/jvm/*|' "$checkout/launcher/jdk.sh"
  sed -i 's|^readonly APT_LISTS=.*|readonly APT_LISTS=$HOME/lists|' "$checkout/launcher/apt.sh"
  mkdir -p "$sandbox/home/lists" "$sandbox/home/jvm"
  touch "$sandbox/home/lists/main_Packages"
  { declare -f sandbox_fake_jdk && echo 'sandbox_fake_jdk 25.0.3 "$HOME/jvm/25"'; } | sandbox_on_install
  jdks=
}

for here in '' 17.0.9; do
  sandbox_without_jdks openjdk-17-jdk-headless openjdk-25-jdk-headless openjdk-26-jdk-headless
  [[ -z $here ]] || sandbox_fake_jdk "$here" "$sandbox/home/jvm/$here"
  sandbox_run build
  is "$status $(sandbox_calls 'install -y [^ ]* openjdk-25-jdk-headless frontend')" '0 1' \
    "with ${here:-no JDK} the newest is installed that Maven is known to run on, and no other"
done

sandbox_without_jdks openjdk-17-jdk-headless
sandbox_fake_jdk 17.0.9 "$sandbox/home/jvm/17"
sandbox_run build
like "$status $err" '^0 .*no JDK 22 .*apt offers none: .* left out .*; all else runs\.$' 'where apt offers no newer JDK, one line says what is left out'
sandbox_forget_calls
sandbox_run build
like "$(sandbox_calls apt) $err" '^0 threadclock: no JDK 22 [^'$'\n'']*$' 'so it does again; but apt is asked again'
touch -d '2001-01-01' "$sandbox/home/lists"
sandbox_run build
is "$(sandbox_calls apt-cache)" 1 'only when its lists have changed'

# ---- welcome: a browser, for tests alone ----

sandbox_with_apt chromium chromium-driver
sandbox_run test --java
is "$(sandbox_calls 'install -y --no-install-recommends chromium chromium-driver frontend')" 1 'the Java tests get a browser where apt offers one'
not_root
sandbox_run test --java
like "$err" 'no chromium, chromedriver is here, and installing chromium chromium-driver takes root or sudo: .* skipped; all else runs\.' \
  'a user who may not install goes without, and is told'
sandbox_fake apt-cache <<<'echo chromium-browser'
sandbox_run test --java
like "$err" 'no chromium, chromedriver is here, and apt offers none: ' 'so is one whose apt has no such package'

done_testing
