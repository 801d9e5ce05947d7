#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
readonly announced='threadclock: missing here, installed with apt-get: gcc libc6-dev'
readonly one_line='^threadclock: [^'$'\n'']*$'

sandbox_create
sandbox_without gcc
sandbox_run build
is "$status" 1 'without compiler and apt-get it fails'
like "$err" "$one_line" 'in one line'
like "$err" 'missing here: compiler .*no apt-get' 'that says what is missing and why it was not installed'

sandbox_create
sandbox_fake_apt
sandbox_fake id <<<'echo 1000'
sandbox_without gcc make
sandbox_run build
is "$status" 1 'with apt-get but neither root nor sudo it fails'
like "$err" "$one_line" 'in one line'
like "$err" 'Run: apt-get install gcc libc6-dev make$' 'that names exactly the packages to install'
is "$(sandbox_calls apt-get)" 0 'and calls no apt-get'
sandbox_without prove
sandbox_run test --native --analysis
like "$err" 'Run: apt-get install gcc libc6-dev make perl clang libclang-rt-dev clang-tidy$' 'each once, whatever parts need it'

sandbox_create
sandbox_fake_apt
sandbox_fake id <<<'echo 1000'
sandbox_fake sudo <<<'echo "sudo $*" >>"$CALLS"; [[ $1 != -n ]] || shift; exec "$@"'
sandbox_without gcc
sandbox_on_install <<'END'
printf '#!/bin/bash\ncat >/dev/null\n' >"$(dirname "$0")/gcc" && chmod +x "$(dirname "$0")/gcc"
END
sandbox_run build
is "$status" 0 'a user of sudo gets what is missing'
is "$(sandbox_calls '^sudo -n env .* apt-get ')" 3 'every apt-get went through sudo, which was told not to ask'

sandbox_create
sandbox_fake_apt
sandbox_run build
is "$status $(sandbox_calls apt-get)" '0 0' 'with nothing missing apt-get is not called, not even to update'

sandbox_create
sandbox_fake_apt
sandbox_without gcc prove
sandbox_on_install <<'END'
printf '#!/bin/bash\ncat >/dev/null\n' >"$(dirname "$0")/gcc" && chmod +x "$(dirname "$0")/gcc"
END
sandbox_run build
is "$status" 0 'root gets what is missing'
is "$(sandbox_calls 'apt-get .* update ')" 1 'after one update'
is "$(sandbox_calls 'apt-get .*install -y --no-install-recommends gcc libc6-dev frontend=noninteractive')" 1 \
  'exactly what this command needs is installed, without a question'
is "$(grep -c -- '--download-only' "$calls")" 1 'downloading is a run of its own'

sandbox_create
sandbox_fake_apt
sandbox_without gcc
sandbox_fake apt-get <<'END'
case "$*" in
  *update*) echo 'W: Failed to fetch http://mirror/x  Temporary failure resolving mirror'; echo 'W: Some index files failed' ;;
  *) echo 'E: Unable to locate package gcc' >&2; exit 100 ;;
esac
END
sandbox_run build
is "$status ${err%%$'\n'*}" "1 $announced" 'what is to be installed is named; without a network it fails'
like "${err#*$'\n'}" "$one_line" 'in one line'
like "$err" 'E: Unable to locate package gcc .*Temporary failure resolving mirror.*apt\.log$' \
  "with apt's own answers, and where all of its output is"

sandbox_create
sandbox_fake_apt
sandbox_without gcc
sandbox_on_install <<<''
sandbox_run build
like "$status ${err#*$'\n'}" '^1 threadclock: installed what apt-get has for: compiler .*none that works' \
  'an installation that does not help is not believed'

sandbox_create
compiler='no-such-compiler -m32'
sandbox_fake_apt
sandbox_run build
is "$status" 1 'a CC that does not compile is refused'
like "$err" '^threadclock: CC=no-such-compiler -m32 does not compile [^'$'\n'']*$' 'in one line that names it'
is "$(sandbox_calls apt-get)" 0 'and no other compiler is installed'
compiler=

if [[ $(id -u) == 0 ]] && command -v setpriv >/dev/null; then
  TMPDIR=/tmp sandbox_create # the launcher's own is closed to others
  sandbox_run build
  chmod 755 "$sandbox" "$checkout/.build"
  ln -s "$(type -P setpriv)" "$sandbox/bin/"
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  sandbox_run build
  like "$status $err" '^1 threadclock: [^'$'\n'']*/\.build belongs to root and may not be written\. [^'$'\n'']*$' \
    'outputs of another user end in one line'
  as_user=()
else
  skip 'outputs of another user end in one line' 'needs root to become another user'
fi

# The tests below search JDKs on a machine that has only those of the sandbox.
search_only_sandbox() {
  sed -i 's|/usr/lib/jvm/\* /opt/\*jdk\*|"$HOME"/jvm/*|' "$checkout/launcher/jdk.sh"
  sed -i 's|^readonly APT_LISTS=.*|readonly APT_LISTS=$HOME/lists|' "$checkout/launcher/apt.sh"
  mkdir -p "$sandbox/home/lists" "$sandbox/home/jvm"
  touch "$sandbox/home/lists/main_Packages"
  jdks=
}
on_install_jdk() { # version
  { declare -f sandbox_fake_jdk && printf 'sandbox_fake_jdk %s "$HOME/jvm/%s"\n' "$1" "$1"; } | sandbox_on_install
}

sandbox_create
sandbox_fake_apt
search_only_sandbox
on_install_jdk 25.0.3
sandbox_run build
is "$status" 0 'without any JDK one is installed'
is "$(sandbox_calls 'install -y [^ ]* openjdk-25-jdk-headless frontend')" 1 'the newest that Maven is known to run on, and no other'

sandbox_create
sandbox_fake_apt
search_only_sandbox
sandbox_fake_jdk 17.0.9 "$sandbox/home/jvm/17"
on_install_jdk 25.0.3
sandbox_run build
is "$status" 0 'with only a JDK 17 it succeeds'
is "$(sandbox_calls 'install -y [^ ]* openjdk-25-jdk-headless frontend')" 1 'after adding a newer JDK that apt offers'

sandbox_create
sandbox_fake_apt
search_only_sandbox
sandbox_without gcc
sandbox_fake_jdk 17.0.9 "$sandbox/home/jvm/17"
sandbox_on_install <<'END'
printf '#!/bin/bash\ncat >/dev/null\n' >"$(dirname "$0")/gcc" && chmod +x "$(dirname "$0")/gcc"
END
sandbox_run build
is "$(sandbox_calls 'apt-get .* update ')" 1 'two installations in one start need one update'

sandbox_create
sandbox_fake_apt
search_only_sandbox
sandbox_fake_jdk 17.0.9 "$sandbox/home/jvm/17"
sandbox_fake apt-cache <<<'echo "apt-cache" >>"$CALLS"; echo openjdk-17-jdk-headless'
sandbox_run build
is "$status" 0 'where apt offers no newer JDK it succeeds, too'
like "$(grep 'no JDK 22' <<<"$err")" 'apt offers none: .* left out .*; all else runs\.$' 'and one line says what is left out'
is "$(sandbox_calls apt-get)" 0 'without an update'
sandbox_forget_calls
sandbox_run build
is "$(sandbox_calls apt-cache)" 0 'a second start does not ask apt again'
like "$err" '^threadclock: no JDK 22 [^'$'\n'']*$' 'and says it again'
touch -d '2001-01-01' "$sandbox/home/lists"
sandbox_run build
is "$(sandbox_calls apt-cache)" 1 "but does once apt's lists have changed"

sandbox_create
sandbox_fake_apt
search_only_sandbox
sandbox_fake_jdk 17.0.9 "$sandbox/home/jvm/17"
sandbox_fake id <<<'echo 1000'
sandbox_run build
is "$status" 0 'a user who may not install goes without a newer JDK'
like "$err" 'installing openjdk-25-jdk-headless takes root or sudo: .* left out' 'and is told'

# The browser is for tests alone.
apt_offers_only() { # names that apt offers
  sandbox_fake apt-cache <<<"echo \"apt-cache \$*\" >>\"\$CALLS\"; printf '%s\\n' $*"
}
readonly without_browser='^threadclock: no chromium, chromedriver is here, and '

sandbox_create
sandbox_fake_apt
apt_offers_only chromium chromium-driver
sandbox_on_install <<<':'
sandbox_run test --java
is "$(sandbox_calls 'install -y --no-install-recommends chromium chromium-driver frontend')" 1 \
  'the Java tests get a browser where apt offers one'
sandbox_forget_calls
sandbox_run build
is "$(sandbox_calls apt-get)" 0 'building gets none'

sandbox_create
sandbox_fake_apt
apt_offers_only chromium-browser chromium-driver-not
sandbox_run test --java
is "$(sandbox_calls apt-get)" 0 'where apt has no such package none is installed'
like "$(grep browser <<<"$err")" "${without_browser}apt offers none: the tests .* skipped; all else runs\.\$" \
  'and one line says what is skipped'

sandbox_create
sandbox_fake_apt
apt_offers_only chromium chromium-driver
sandbox_fake id <<<'echo 1000'
sandbox_run test --java
is "$(sandbox_calls apt-get)" 0 'a user who may not install goes without a browser'
like "$(grep browser <<<"$err")" "${without_browser}installing chromium chromium-driver takes root or sudo: " 'and is told'

sandbox_create
sandbox_fake_apt
sandbox_fake chromium <<<':'
sandbox_fake chromedriver <<<':'
sandbox_fake prometheus <<<':'
sandbox_fake promtool <<<':'
sandbox_run test --java
is "$(sandbox_calls 'apt-') $(grep -c browser <<<"$err")" '0 0' 'a browser that is here is not looked for'

# Prometheus as well, which is unpacked and not installed, because it would start.
prometheus_from_debian() { # what dpkg-deb unpacks
  sandbox_fake apt-get <<<'echo "apt-get $*" >>"$CALLS"; [[ " $* " != *" download "* ]] || : >prometheus_2_amd64.deb'
  sandbox_fake dpkg-deb <<<"mkdir -p \"\$3/usr/bin\"; for name in $1; do printf '#!/bin/bash\\n' >\"\$3/usr/bin/\$name\"; chmod +x \"\$3/usr/bin/\$name\"; done"
}
readonly without_prometheus='^threadclock: no prometheus is here, and '

sandbox_create
sandbox_fake_apt
apt_offers_only prometheus
prometheus_from_debian 'prometheus promtool'
sandbox_fake id <<<'echo 1000'
sandbox_run test --java
is "$(sandbox_calls 'apt-get .*download prometheus$') $(sandbox_calls install)" '1 0' \
  'the Java tests get a prometheus where apt offers one, without root, and none is installed'
is "$(find "$sandbox/home/.cache/threadclock" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | paste -sd ' ')" 'lock prometheus' \
  'it is in the store, and nothing is left beside it'
is "$(grep -c "$without_prometheus" <<<"$err")" 0 'and nothing is said of it'
sandbox_forget_calls
sandbox_run test --java
is "$(sandbox_calls 'apt-get .*download')" 0 'a second start fetches nothing'

sandbox_create
sandbox_fake_apt
apt_offers_only prometheus
prometheus_from_debian prometheus
sandbox_run test --java
like "$(grep prometheus <<<"$err")" "${without_prometheus}fetching Debian's failed .* skipped; all else runs\.\$" \
  'where what came does not run one line says what is skipped'
is "$(find "$sandbox/home/.cache/threadclock" -mindepth 1 -maxdepth 1 ! -name lock)" '' 'and nothing is left of it'

sandbox_create
sandbox_fake_apt
apt_offers_only prometheus-not
sandbox_run test --java
like "$(grep prometheus <<<"$err")" "${without_prometheus}apt offers none: " 'where apt has none one line says so'

# gdb, Valgrind and the allocators are for the native tests alone. (The libraries may be on this machine.)
sandbox_create
sandbox_fake_apt
apt_offers_only gdb valgrind libc6-dbg
sandbox_on_install <<<':'
sandbox_run test --native
is "$(sandbox_calls 'install -y --no-install-recommends gdb valgrind libc6-dbg frontend')" 1 \
  'the native tests get what apt offers of the programs that disturb'
sandbox_forget_calls
sandbox_run build
is "$(sandbox_calls apt-get)" 0 'building gets none'

done_testing
