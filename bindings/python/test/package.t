#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Python package as its users get it: built as wheels and as a source distribution, installed by pip from a folder,
# and tested by each Python that is here.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../../launcher/test/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1

if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
  printf '1..0 # SKIP python3 with pip is not installed\n'
  exit
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-test.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
unset SOURCE_DATE_EPOCH PYTHONPATH
export PYTHONDONTWRITEBYTECODE=yes PIP_DISABLE_PIP_VERSION_CHECK=yes PIP_CONFIG_FILE=/dev/null

version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' src/threadclock/__init__.py)
readonly dist=$scratch/dist sdist=threadclock-$version.tar.gz
platforms=(manylinux_2_17_aarch64.manylinux2014_aarch64 manylinux_2_17_x86_64.manylinux2014_x86_64 musllinux_1_1_aarch64 musllinux_1_1_x86_64)
# All that are on the PATH and that pyenv has, by their versions; each is there once.
pythons() {
  local python
  for python in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3 $(type -ap python3 | grep -v /shims/); do
    [[ ! -x $python ]] || "$python" -c 'import os, sys
sys.version_info >= (3, 8) and print(*sys.version_info[:3], os.path.realpath(sys.executable))' 2>/dev/null
  done | sort -u -k4 | sort -n -k2 -k3
}

# Its own pip, if it has one that knows the option, because making a pip for each environment takes seconds.
venv() { # python, folder
  "$1" -m venv --without-pip "$2" 2>&1
}

pip_install() { # python, environment, arguments…
  local python=$1 environment=$2
  shift 2
  "$python" -m pip --python "$environment/bin/python" install -q --no-index "$@" 2>&1
}

# The tests run beside no sources of the package, so that they test what is installed.
run_tests() { # environment
  (cd tests && "$1/bin/python" -W error -m unittest 2>&1)
}

test_installed() { # python, environment, what
  local said
  said=$(run_tests "$2")
  like "$said" $'Ran [1-9][0-9]* tests in .*\nOK' "$3"
  printf '%s\n' "$said" | sed -n 's/^a reading: /# a reading: /p'
}

dynamic() { # file, what: the values of its dynamic section
  readelf -dW "$1" | sed -nE "s/.*\($2\).*\[(.*)\]/\1/p" | sort | tr '\n' ' '
}

symbols() { # file, UND or defined: the names of its dynamic symbols
  readelf --dyn-syms -W "$1" | awk -v want="$2" 'NF >= 8 && $5 != "LOCAL" && $7 != "Ndx" && (($7 == "UND") == (want == "UND")) { print $8 }' | sort
}

# ---- the wheels ----

test_wheel() { # platform tags
  local wheel=threadclock-$version-cp38-abi3-$1.whl unpacked=$scratch/$1 machine=X86-64 module tags
  module=$unpacked/threadclock/_clock.abi3.so tags=${1//./$'\n'Tag: cp38-abi3-}
  [[ $1 != *aarch64 ]] || machine=AArch64
  python3 -m zipfile -e "$dist/$wheel" "$unpacked"
  is "$(grep -v ^Generator "$unpacked/threadclock-$version.dist-info/WHEEL")" \
    $'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp38-abi3-'"$tags" "$1: the wheel says what its name says"
  like "$(readelf -hW "$module")" "Machine: .*$machine" "$1: its module is for that machine"
  is "$(symbols "$module" defined)" PyInit__clock "$1: it gives away no name of the C library, of which another copy may be loaded"
  like "$(dynamic "$module" NEEDED)" "$(needed "$1")" "$1: it needs no library but libc"
  none "$(symbols "$module" UND | grep -E '^(__tls_get_addr|__stack_chk|__cxa)' || true)" "$1: nor what may allocate in a reading"
  none "$(symbols "$module" UND | sed -n 's/.*@GLIBC_2[.]\([0-9]*\).*/\1/p' | awk '$1 > 17')" "$1: nor a newer glibc than 2.17"
}

needed() { # platform tags
  case $1 in
    musl*) printf '^libc\\.so $' ;;
    *) printf '^libc\\.so\\.6 (libdl\\.so\\.2 )?(libpthread\\.so\\.0 )?$' ;;
  esac
}

said=$(./build_wheels "$dist" 2>&1)
status=$?
if ((status == 69)); then
  skip 'the wheels are built' "${said##*$'\n'}"
  mkdir -- "$dist"
  PYTHONPATH=backend python3 -c 'import sys, threadclock_build; threadclock_build.build_sdist(sys.argv[1])' "$dist"
else
  is "$(cd "$dist" && LC_ALL=C ls)" "$(printf 'threadclock-%s\n' "${platforms[@]/#/$version-cp38-abi3-}" | sed 's/$/.whl/')"$'\n'"$sdist" \
    'the wheels and a source distribution are built'
  ((status == 0)) || tap_explain "$said"
  for platform in "${platforms[@]}"; do
    test_wheel "$platform"
  done
  is "$(sed -n '/^Version: \|^Name: /p' "$scratch/${platforms[0]}/threadclock-$version.dist-info/METADATA")" \
    $'Name: threadclock\nVersion: '"$(sed -n 's,^ *<revision>\(.*\)</revision>$,\1,p' ../../pom.xml)" "the version is the C library's"
  said=$(./build_wheels "$scratch/again" x86_64-linux-gnu.2.17 2>&1)
  is "$(cd "$scratch/again" && sha256sum ./*)" "$(cd "$dist" && sha256sum ./*many*x86_64.whl ./*.tar.gz)" 'built again, both have the same bytes'
fi

# ---- in each Python ----

readonly typed='a typed program is right under mypy --strict'
check_types() { # environment: that of python3
  local mypy=(env PYTHONPATH="${THREADCLOCK_PYTHONPATH:-}" python3 -m mypy --strict --cache-dir "$scratch/mypy" --python-executable "$1/bin/python")
  if ! "${mypy[@]}" --version >/dev/null 2>&1; then
    skip "$typed, and so is the package" mypy
    return
  fi
  printf 'import threadclock\ntime: str = threadclock.thread_time_ns()\nthreadclock.accounted(1)\n' >"$scratch/wrong.py"
  like "$("${mypy[@]}" tests/test_typing.py 2>&1)" '^Success: ' "$typed"
  is "$("${mypy[@]}" "$scratch/wrong.py" 2>&1 | grep -c 'error: .*\[\(assignment\|arg-type\)\]')" 2 'and a wrong one is not'
  like "$("${mypy[@]}" src/threadclock 2>&1)" '^Success: ' 'so is the package itself'
}

own=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
while read -r major minor patch python; do
  environment=$scratch/$major.$minor.$patch
  sentence="Python $major.$minor.$patch runs the tests with the installed wheel"
  if ((status == 69)); then
    skip "$sentence" 'there is no wheel'
  elif ! said=$(venv "$python" "$environment"); then
    skip "$sentence" "its module venv: ${said##*$'\n'}"
  elif ! said=$(pip_install "$python" "$environment" --find-links "$dist" --only-binary :all: threadclock); then
    if [[ $said == *"no such option: --python"* || $said == *"No module named pip"* ]]; then
      skip "$sentence" 'a pip of its own, 22.3 or newer'
    else
      tap_result 'not ok' "$sentence"
      tap_explain "$said"
    fi
  else
    test_installed "$python" "$environment" "$sentence"
    if [[ $python == "$own" ]]; then
      check_types "$environment"
      like "$("$environment/bin/python" -c "$(documented python docs/other-languages.md)" 2>&1)" '^CPU [1-9][0-9]* ns: user [0-9]+, system [0-9]+$' \
        'the lines of other-languages.md run'
      if [[ -d ${THREADCLOCK_PYTHONPATH:-} ]]; then
        like "$(cd tests && PYTHONPATH=$THREADCLOCK_PYTHONPATH "$environment/bin/python" -m unittest test_readme 2>&1)" \
          $'Ran 3 tests in .*\nOK$' "README's recipes for Prometheus and OpenTelemetry count what requests cost"
      else
        skip "README's recipes for Prometheus and OpenTelemetry count what requests cost" 'prometheus_client and opentelemetry-sdk'
      fi
    fi
  fi
done < <(pythons)

# ---- the source distribution ----

if ! "${CC:-cc}" --version >/dev/null 2>&1; then
  skip 'the source distribution builds and installs' 'a C compiler'
elif ! said=$(venv python3 "$scratch/sdist"); then
  skip 'the source distribution builds and installs' "its module venv: ${said##*$'\n'}"
else
  status=0
  said=$(pip_install python3 "$scratch/sdist" "$dist/$sdist") || status=$?
  is "$status" 0 'the source distribution builds and installs without the network'
  ((status == 0)) || tap_explain "$said"
  is "$("$scratch/sdist/bin/python" -c 'import threadclock; print(threadclock.source() != "stdlib", threadclock.thread_time_ns() > 0)' 2>&1)" \
    'True True' 'and its clock runs'
  # A copy of the C library with another interface, which is loaded first.
  core=../../native/src/main/c
  said=$("${CC:-cc}" -std=c11 -O1 -fPIC -shared -Wl,-z,nodelete -D_GNU_SOURCE -DTCLK_COPY_INTERFACE=99 '-DTCLK_VERSION="99.0.0"' "-I$core" \
    -o "$scratch/stranger.so" "$core"/{kernel,clock,clock/divide}/*.c -lpthread -ldl 2>&1) || tap_explain "$said"
  is "$("$scratch/sdist/bin/python" - "$scratch/stranger.so" 2>&1 <<'END'
import ctypes, sys, time
ctypes.CDLL(sys.argv[1])
import threadclock
own = time.thread_time_ns
for function in (threadclock.thread_times, threadclock.install):
    try:
        function()
    except RuntimeError as error:
        print(error)
print(time.thread_time_ns is own)
END
  )" "$(printf "another copy of threadclock, of version 99.0.0, is the clock of this process, and version $version cannot ask it. Use one version\n%.0s" 1 2)
True" 'beside a copy that cannot be asked, it says why it is no clock, and installs nothing'
fi
read -r _ _ _ oldest < <(pythons)
if said=$(PYTHONPATH=backend "$oldest" -c 'import sys, threadclock_build; print(threadclock_build.build_wheel(sys.argv[1]))' "$scratch" 2>&1); then
  python3 -m zipfile -e "$scratch/$said" "$scratch/oldest"
  is "$(PYTHONPATH=$scratch/oldest "$oldest" -c 'import threadclock; print(threadclock.source() != "stdlib")' 2>&1)" True \
    'what the oldest Python here builds, it can load'
else
  skip 'what the oldest Python here builds, it can load' "it builds nothing: ${said##*$'\n'}"
fi
is "$(CC=/nowhere/cc PYTHONPATH=backend python3 -c 'import sys, threadclock_build; threadclock_build.build_wheel(sys.argv[1])' "$scratch" 2>&1)" \
  "no C compiler: '/nowhere/cc' is not on the PATH. Install one, or name it in CC." 'without a C compiler, the build ends with a sentence'

done_testing
