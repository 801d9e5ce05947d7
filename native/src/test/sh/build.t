#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make builds what is out of date, and nothing else. In a copy, which nobody else builds in.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"

clocks=library/src # the agent's classes
mkdir -p "$scratch/native" "$scratch/$clocks"
cp -r Makefile ./*.mk src examples "$scratch/native"
cp -r "../$clocks/." "$scratch/$clocks"
cp ../pom.xml "$scratch/" # the version
cd -- "$scratch/native" || exit 1

# The question is which commands make runs, not what a compiler makes of them: this one copies what has been built already.
cat >copier <<'END'
#!/usr/bin/env bash
for ((i = 1; i < $#; i++)); do
  made=${@:i+1:1}
  [[ ${!i} != -o || $made != out/* ]] || exec cp -- "$BUILT/${made#out/}" "$made"
done
exec $COMPILER "$@" # a question about options
END
chmod +x copier
export COMPILER=$CC BUILT=$BUILD

build() { # further arguments…: prints what was compiled and linked
  "$MAKE" --no-print-directory BUILD=out CC=./copier JAVA_HOME="$JAVA_HOME" "$@" 2>&1 | grep -E '^ +(CC|LD) ' || true
}

built() { # what was built: prints how many files were compiled, and linked
  printf '%d %d' "$(grep -c ' CC ' <<<"$1")" "$(grep -c ' LD ' <<<"$1")"
}

all=$(find src/main/c -name '*.c' | wc -l)

is "$(built "$(build)")" "$all 3" 'the first build compiles every source once, and links the libraries and the helper'
is "$(built "$(build)")" '0 0' 'a second one does nothing'
ln -s "$JAVA_HOME" another-jdk
is "$(built "$(build JAVA_HOME="$PWD/another-jdk")")" '0 0' 'nor does one by another JDK, as Maven may have it'

alone=$("$MAKE" -n BUILD=bare CC=./copier JAVA_HOME= | grep -oE '"  (CC|LD) .*"')
is "$(built "$alone") $(grep -c /jvm/ <<<"$alone")" "$(find src/main/c/{kernel,clock,preload} -name '*.c' | wc -l) 2 0" \
  'without a JDK it builds all but the agent'
is "$(built "$(build JAVA_HOME=)") $(built "$(build)")" '0 2 0 2' 'where there has been one the library is linked anew, and again when there is one'
like "$("$MAKE" JAVA_HOME=/nothing 2>&1)" 'JAVA_HOME=/nothing has no bin/javac' 'what is named and is no JDK is not passed over'
like "$("$MAKE" BUILD=out CC=./copier JAVA_HOME= natives 2>&1)" 'for the jar take a JDK' 'and the libraries for JVMs are not built without one'

"$MAKE" CC="$CC" JAVA_HOME="$JAVA_HOME" compile_commands.json
is "$(grep -c '"file": "src/main/c/.*"command": ".* -DTCLK_VERSION=.\\".* -c src/main/c/' compile_commands.json)" "$all" \
  'editors are told how each source is compiled'
none "$(python3 -m json.tool compile_commands.json 2>&1 >/dev/null)" 'in JSON'

touch src/main/c/kernel/slab.c
is "$(built "$(build)")" '1 2' 'a changed source is compiled again, and what it is in linked'
is "$(built "$(build CFLAGS='-O1 -g')")" "$all 3" 'other flags compile everything again'

# What `make natives` leaves, without Zig.
for platform in x86_64 aarch64; do
  mkdir -p "out/$platform-linux-gnu.2.17/stripped" "out/native/linux-$platform"
  touch "out/$platform-linux-gnu.2.17/stripped/libthreadclock.so" "out/native/linux-$platform/libthreadclock.so"
done
natives() { (cd out && ls native/linux-*/libthreadclock.so 2>/dev/null | wc -l); }
build >/dev/null
is "$(natives)" 2 'the libraries of all platforms stay where no source is newer'
touch -d '1 second' src/main/c/kernel/slab.c
build >/dev/null
is "$(natives)" 0 'and go where one is: a JVM with another libc would get an older agent'

like "$("$MAKE" BUILD=out CC='no-such-compiler -m32' 2>&1)" "no C compiler: 'no-such-compiler' is not on the PATH" \
  'without a compiler it says what is missing'

done_testing
