#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The files that the jar has: one for each architecture, which glibc from 2.17 on and musl load alike.
source "$(dirname -- "${BASH_SOURCE[0]}")/../sh/tap.sh"

dynamic() { # tag
  readelf -dW "$file" | grep -F "($1)" || true
}

symbols() { # those of others that it needs, with their versions
  readelf --dyn-syms -W "$file" | awk '$7 == "UND" && NF >= 8 { print $8 }'
}

newer_symbols() {
  symbols | sed -n 's/.*@GLIBC_//p' | sort -Vu | awk -F. '$1 > 2 || $2 > 17'
}

without_version() { # as musl has none, neither has what glibc would have no version for
  symbols | grep -v '@GLIBC_' || true
}

relocations() { # type
  readelf -rW "$file" | grep -c "$1" || true
}

is_sound() { # architecture, machine, library
  local compiled=$BUILD/$1-linux-gnu.2.17 whose="$1, $3"
  file=$BUILD/native/linux-$1/$3.so
  like "$(readelf -hW "$file")" "Machine: +$2" "$whose: it is for that architecture"
  none "$(newer_symbols)" "$whose: it needs no symbol newer than glibc 2.17"
  none "$(without_version)" "$whose: it needs none that glibc has not"
  is "$(dynamic NEEDED | grep -o '\[.*\]' | sort | tr '\n' ' ')" '[libc.so.6] [libdl.so.2] [libpthread.so.0] ' \
    "$whose: it needs libc alone, by names that musl takes for itself"
  none "$(symbols | grep -E '__stack_chk|_chk@|__cxa|__tls_get_addr|_ITM|__gmon' || true)" "$whose: nor what musl has not, or where none is in a signal handler"
  like "$(dynamic FLAGS_1)" 'NOW.*NODELETE' "$whose: it is bound when it is loaded, and never unloaded"
  none "$(dynamic FLAGS | grep -oE 'STATIC_TLS|TEXTREL' || true)" "$whose: it asks for no static TLS"
  is "$(relocations TLSDESC | sed 's/^[1-9][0-9]*$/some/') $(relocations 'TPOFF\|TPREL\|DTPMOD')" 'some 0' "$whose: it finds its threads' words by descriptors"
  is "$(readelf -nW "$file" | grep -o 'Build ID: .*')" "$(readelf -nW "$compiled/$3.so" | grep -o 'Build ID: .*')" \
    "$whose: its build id leads to the one with debug information"
  is "$(text_of "$file")" "$(text_of "$compiled/$3.so")" "$whose: whose instructions are the same"
  none "$(readelf -SW "$file" | grep -o '\.debug_[a-z]*' || true)" "$whose: it has none itself"
}

text_of() { # file: digest of its instructions
  local offset size
  read -r offset size <<<"$(readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \.text *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\).*/\1 \2/p')"
  dd if="$1" iflag=skip_bytes,count_bytes bs=64K skip=$((16#$offset)) count=$((16#$size)) status=none | sha256sum
}

readonly libraries=(libthreadclock libthreadclock-preload)
for each in "${libraries[@]}"; do
  is_sound x86_64 'Advanced Micro Devices X86-64' "$each"
  is_sound aarch64 AArch64 "$each"
done
# These take arguments by "...", which they save: no read calls them.
read_path=$(objdump -d --no-show-raw-insn "$BUILD/x86_64-linux-gnu.2.17/libthreadclock.so" |
  awk '/^[0-9a-f]+ <(tclk_|Java_)/ { on = $2 !~ /<tclk_(message|text_add)>:/ } /^$/ { on = 0 } on')
like "$read_path" '<tclk_thread_read.*rdtsc' 'x86_64: a read takes the counter'
none "$(grep -oE '%[xyz]mm[0-9]+' <<<"$read_path" | sort -u)" 'x86_64: and no vector register'

# musl's loader says what it does not find.
musl=$(ls /lib/ld-musl-x86_64.so.1 2>/dev/null)
for each in "${libraries[@]}"; do
  none "$("$musl" --list "$BUILD/native/linux-x86_64/$each.so" 2>&1 | grep -i 'error' || true)" \
    "x86_64, $each: musl finds all that it needs"
  none "$("$PLATFORM_QEMU" "$PLATFORM_ARM/lib/aarch64-linux-musl/libc.so" --list "$BUILD/native/linux-aarch64/$each.so" 2>&1 | grep -iE 'error|not found' || true)" \
    "aarch64, $each: so it does there"
done

# What programs read with the one that is preloaded.
interposed() { # C compiler…: compiles the program
  "$@" -std=c11 -O1 -D_GNU_SOURCE -Isrc/test/c -Isrc/main/c -o "$scratch/interposed" src/test/c/program/interposed.c
}
preloaded() { # architecture, command that takes a variable for the program, and then the program…
  "${@:2}" "LD_PRELOAD=$BUILD/native/linux-$1/libthreadclock-preload.so" "${loader[@]}" "$scratch/interposed" "$BUILD/native/linux-$1/libthreadclock.so"
}
readonly reads='a program reads its threads by the preloaded library, also beside the other one'
loader=()
succeeds 'x86_64, musl: a program is built' interposed musl-gcc -idirafter /usr/include -idirafter "/usr/include/$(cc -print-multiarch)"
succeeds "x86_64, musl: $reads" preloaded x86_64 env
succeeds 'aarch64, glibc: a program is built' interposed "$PLATFORM_ZIG" cc -target aarch64-linux-gnu.2.17
succeeds "aarch64, glibc: $reads" preloaded aarch64 "$PLATFORM_QEMU" -L "$PLATFORM_ARM" -E
loader=("$PLATFORM_ARM/lib/aarch64-linux-musl/libc.so")
succeeds 'aarch64, musl: a program is built' interposed "$PLATFORM_ZIG" cc -target aarch64-linux-musl -dynamic
succeeds "aarch64, musl: $reads" preloaded aarch64 "$PLATFORM_QEMU" -L "$PLATFORM_ARM" -E

clocks=library/src # the agent's classes
copy=$scratch/native
mkdir -p "$copy" "$scratch/$clocks"
cp -r Makefile ./*.mk src "$copy"
cp -r "../$clocks/." "$scratch/$clocks"
cp ../pom.xml "$scratch/" # the version
succeeds 'they are built in another folder' make -s -C "$copy" BUILD=build CC=cc ZIG="$PLATFORM_ZIG" JAVA_HOME="$JAVA_HOME" natives
for architecture in x86_64 aarch64; do
  for each in "${libraries[@]}"; do
    none "$(cmp -- {"$BUILD","$copy"/build}/native/linux-$architecture/"$each".so 2>&1)" "$architecture, $each: with the same bytes"
  done
done

done_testing
