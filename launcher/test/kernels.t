#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
source "$(dirname -- "${BASH_SOURCE[0]}")/sandbox.sh"
readonly one_line='threadclock: [^'$'\n'']*$'

in_store() {
  (cd "$sandbox/home/.cache/threadclock/kernels" 2>/dev/null && find . -type f -printf '%P\n' | LC_ALL=C sort | tr '\n' ' ')
}

# The kernels of three releases of Debian, one also for real time, in both ways that they are packed; an emulator that writes what it is
# given for a kernel; and a make that has built the guest.
sandbox_with_kernels() {
  sandbox_create
  sandbox_fake_archive
  printf 'linux-%s\n' image-6.1.0-9-cloud-amd64 image-6.1.0-50-cloud-amd64 image-6.1.0-50-cloud-amd64-dbg \
    image-6.12.9+deb13-cloud-amd64 image-6.12.107+deb13-cloud-amd64-unsigned image-6.12.107+deb13-cloud-amd64 \
    base-8.9 image-7.2.13+deb14-cloud-amd64 binary-7.2.13+deb14-cloud-amd64 modules-7.2.13+deb14-cloud-amd64 \
    image-7.2.9+deb14-cloud-amd64 image-9.9+deb14-amd64 image-7.2.13+deb14-rt-amd64 binary-7.2.13+deb14-rt-amd64 \
    image-6.12.107+deb13-rt-amd64 >"$sandbox/home/kernels"
  sandbox_fake musl-gcc <<<''
  sandbox_fake cpio <<<''
  sandbox_fake qemu-system-x86_64 <<'END'
echo "qemu $*" >>"$CALLS"
for argument in "$@"; do
  case $argument in
    file:*/console) console=${argument#file:} ;;
    file:*/output) output=${argument#file:} ;;
    */vmlinuz-*) release=${argument##*/vmlinuz-} ;;
  esac
done
printf 'Linux begins\r\nlast words\r\n' >"$console"
cat "$HOME/guest-$release" >"$output" 2>/dev/null || cat "$HOME/guest" >"$output"
END
  printf '%s\n' 'guest:' $'\t@mkdir -p build/guest/root/tests/musl && touch build/guest/root/tests/musl/a_test' \
    $'\t@echo "echo 4711" >build/guest/counter_khz && chmod +x build/guest/counter_khz' >>"$checkout/threadclock-native/Makefile"
  guest_says "$sandbox/home/guest" 'ok 1 - reads' 'ok 2 - uses perf # SKIP no perf' '# chosen perf (as started; an own area)' \
    '# chosen clock (without perf events; an own area)' '1..2' '' '== end musl/source_choice_test 0 12' '== done'
}

cpus=2
guest_says() { # file, lines…
  local file=$1
  shift
  printf '%s\n' "== cpus $cpus" '== kernel x y' '== begin musl/source_choice_test' "$@" >"$file"
}

sandbox_with_kernels
sandbox_run test --kernels
is "$status ${out##*$'\n'}" '0 tests: 8 passed, 0 failed, 4 skipped' 'each kernel runs the tests, and says that it has'
is "$(in_store)" '6.1/vmlinuz-6.1.0-50-cloud-amd64 6.12/vmlinuz-6.12.107+deb13-cloud-amd64 newest-rt/vmlinuz-7.2.13+deb14-rt-amd64 newest/vmlinuz-7.2.13+deb14-cloud-amd64 ' \
  'the newest of each series is fetched, and nothing but the kernel is kept'
is "$(sandbox_calls '^deb .*http://mirror/debian/ (bookworm|trixie|sid) main$')" 3 "from the archive of Debian that this machine's apt names"
is "$(sandbox_calls 'download linux-binary-7.2.13\+deb14-(cloud|rt)-amd64$')" 2 'from the package that has the file'
is "$(sandbox_calls ' install ')" 0 'nothing is installed'
is "$(sandbox_calls '^qemu .* tsc_early_khz=4711( |$)')" 4 'a kernel is told the rate of the counter'
like "$out" $'\nLinux 7\\.2\\.13\\+deb14-cloud-amd64, musl, an own area: perf as started, clock without perf events\n' \
  'what was chosen on which kernel is said'

sandbox_forget_calls
sandbox_without apt-get apt-cache
sandbox_run test --kernels
is "$status $(sandbox_calls apt-get)" '0 0' 'a second run fetches nothing'

guest_says "$sandbox/home/guest-6.1.0-50-cloud-amd64" 'ok 1 - reads' 'not ok 2 - sleeps' '# 5 ns' '1..2' '' \
  '== end musl/source_choice_test 1 12' '== done'
sandbox_run test --kernels
is "$status ${out##*$'\n'}" '1 tests: 8 passed, 1 failed, 3 skipped' 'a test that fails on one kernel fails'
like "$err" '6\.1\.0-50-cloud-amd64/musl/source_choice_test\.t'$'\n''  not ok 2 - sleeps'$'\n''  # 5 ns' 'it is shown under the kernel and libc'

cpus=1 guest_says "$sandbox/home/guest-6.1.0-50-cloud-amd64" 'ok 1 - reads' '1..1' '' '== end musl/source_choice_test 0 12' '== done'
sandbox_run test --kernels
like "$status $err" '^1 .*did not switch on 2 CPUs' 'and one on a single CPU, which would hide races'

guest_says "$sandbox/home/guest-6.1.0-50-cloud-amd64" 'ok 1 - reads' '1..1' '' '== end musl/source_choice_test 139 12' '== done'
sandbox_run test --kernels
is "$status" 1 'so does one that says nothing wrong and crashes'

guest_says "$sandbox/home/guest-6.1.0-50-cloud-amd64" 'ok 1 - reads'
sandbox_run test --kernels
is "$status ${out##*$'\n'}" '1 tests: 7 passed, 2 failed, 3 skipped' 'a kernel that ends before its tests do fails, and so does the test that it was at'
like "$err" 'boot\.t.*  # boot_kernel: booting .*vmlinuz-6\.1.*before init was done.*  # last words' "the console's last lines are shown"

sandbox_with_kernels
echo 'exit 100' >"$sandbox/home/on-update"
sandbox_run test --kernels
like "$status $err" "^1 .*$one_line" 'without a network it fails'
like "$err" 'fetching Linux 6\.1, 6\.12, the newest, the newest with PREEMPT_RT from Debian failed: none of http://mirror/debian/ gave .* Check the network .*\.log$' \
  'in one line that says what to do'
is "$(in_store)" '' 'and leaves nothing'

sandbox_with_kernels
sed -i '/6\.12/d' "$sandbox/home/kernels"
sandbox_run test --kernels
like "$status $err" '^1 .*failed: Debian has no kernel 6\.12; it has 6\.1\.0-9-cloud-amd64 .*7\.2\.13' 'a kernel that Debian does not have is named, with those that it has'

sandbox_with_kernels
sandbox_without qemu-system-x86_64 apt-get
sandbox_run test --kernels
like "$status $err" '^1 threadclock: missing here: qemu-system-x86_64 ' 'without the emulator it says so'

sandbox_with_kernels
sandbox_fake uname <<<'case $1 in -s) echo Linux ;; -m) echo aarch64 ;; esac'
sandbox_without qemu-system-x86_64
sandbox_run test --kernels --native
like "$out $err" 'tests on other kernels are left out: [^'$'\n'']*aarch64' 'elsewhere than on x86_64 they are left out, and it says so'

done_testing
