#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Rust crates: their tests, their packages, and a new program that depends on these. Once the crates that Cargo.lock
# names are fetched, nothing here needs the network.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../../launcher/test/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1

readonly all='the Rust crates build and pass their tests'
readonly native=../../native
readonly portable='--cfg threadclock_portable'
export CARGO_TARGET_DIR=$PWD/target CARGO_TERM_COLOR=never

if ! command -v cargo >/dev/null; then
  skip "$all" 'cargo is not installed'
  done_testing
  exit
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/threadclock-crate.XXXXXX") || exit 255
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

host=$(rustc -vV | sed -n 's/^host: //p')
if ! fetched=$(cargo fetch --locked --target "$host" 2>&1); then
  skip "$all" 'cargo cannot fetch the crates that Cargo.lock names'
  tap_explain "$fetched"
  done_testing
  exit
fi
export CARGO_NET_OFFLINE=true
tap_explain "$(cargo --version), $(rustc --version)"

succeeds() { # sentence, command…: what it says is shown if it fails
  local sentence=$1 said
  shift
  if said=$("$@" 2>&1); then
    tap_result ok "$sentence"
  else
    tap_result 'not ok' "$sentence"
    tap_explain "$*"
    tap_explain "$said"
  fi
}

logged() { # file, command…
  local file=$1
  shift
  (set -o pipefail && "$@" 2>&1 | tee "$file")
}

# Each test that cargo runs is one here; the sentence is the verdict of the compiler and of cargo.
cargo_test() { # whose, sentence, arguments…
  local whose=$1 sentence=$2 log=$scratch/log name result
  shift 2
  succeeds "$sentence" logged "$log" cargo test --locked --no-fail-fast "$@"
  while IFS=$'\t' read -r name result; do
    is "$result" ok "$whose: $name"
  done < <(sed -nE 's/^test (.*) \.\.\. (ok|FAILED)$/\1\t\2/p' "$log" | sed 's/^[a-z:]*:://; s/_/ /g')
}

# ---- the crates ----

if [[ -e $native/build/libthreadclock.so ]]; then
  THREADCLOCK_LIBRARY=$(cd -- "$native/build" && pwd)/libthreadclock.so
  export THREADCLOCK_LIBRARY
else
  skip 'another copy in the process is the same clock' 'native/build/libthreadclock.so is not built'
fi
cargo_test rust "$all" --workspace --all-features
RUSTFLAGS=$portable cargo_test 'without the C core' 'they do so without the C core' -p threadclock --test promises --test accounts

is "$(target/debug/examples/requests | sed 's/[0-9.]\+\(s\|ms\|µs\|ns\)/TIME/g; s/by [a-z_]*$/by SOURCE/')" \
  '2 rounds: CPU TIME, user TIME, system TIME
4 rounds: CPU TIME, user TIME, system TIME
8 rounds: CPU TIME, user TIME, system TIME
all requests: CPU TIME, user TIME, system TIME, by SOURCE' 'the example of tokio tells what requests cost'
is "$(target/debug/examples/spans | sed 's/:.*//' | tr '\n' ' ')" 'parse wait request ' 'the example of tracing tells what spans cost'
version=$(sed -n 's,^ *<revision>\(.*\)</revision>$,\1,p' $native/../pom.xml)
is "$(sed -n 's/^version = "\(.*\)"$/\1/p' threadclock{-sys,}/Cargo.toml | sort -u)" "$version" 'the crates have the version of the C core'

if cargo clippy --version >/dev/null 2>&1; then
  succeeds 'clippy has nothing to say' cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
else
  skip 'clippy has nothing to say' 'clippy is not installed'
fi
RUSTDOCFLAGS=-Dwarnings succeeds 'everything public is documented, and every link of the documentation leads somewhere' \
  cargo doc --locked --workspace --all-features --no-deps
if cargo fmt --version >/dev/null 2>&1; then
  succeeds 'the sources are laid out by rustfmt' cargo fmt --all --check
else
  skip 'the sources are laid out by rustfmt' 'rustfmt is not installed'
fi

# ---- the packages ----

# cargo before 1.83 looks for threadclock-sys in the registry, unless it is told where that is.
pack() { # crate
  local patch=()
  [[ $1 == *-sys ]] || patch=(--config "patch.crates-io.threadclock-sys.path='$PWD/threadclock-sys'")
  cargo package --no-verify --allow-dirty "${patch[@]}" -p "$1"
}

sources() { # folder of C sources: what must be in the package
  (cd -- "$1" && find include kernel clock -name '*.[ch]' | sort)
}

for crate in threadclock-sys threadclock; do
  said=$(pack "$crate" 2>&1)
  is "$?" 0 "$crate is packed"
  unlike "$said" '(^|[[:space:]])(warning|error)' "cargo warns of nothing in $crate"
done
unpacked=$scratch/registry
mkdir "$unpacked"
for crate in "$CARGO_TARGET_DIR"/package/threadclock{-sys,}-[0-9]*.crate; do
  tar -xzf "$crate" -C "$unpacked"
done
is "$(sources "$(echo "$unpacked"/threadclock-sys-*/c)")" "$(sources $native/src/main/c)" 'the package has kernel/, clock/ and include/ of the C core'
none "$(find "$unpacked" -type l -o -type d \( -name jvm -o -name serve -o -name target \))" 'it has no links, and nothing else of it'
is "$(cmp "$unpacked"/threadclock-[0-9]*/LICENSE ../../LICENSE 2>&1)" '' 'the licence is in it'

# ---- a new program, from a registry in a folder ----

declare_directory() { # folder of one crate
  printf '{"files":{}}\n' >"$1/.cargo-checksum.json"
}

# What threadclock depends on anywhere, as cargo has fetched it.
for dependency in $(cargo tree --locked --target all -p threadclock -e normal,build --prefix none 2>/dev/null | awk '$1 !~ /^threadclock/ { print $1 "-" substr($2, 2) }' | sort -u); do
  cp -R -- "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$dependency" "$unpacked"
done
for folder in "$unpacked"/*; do
  declare_directory "$folder"
done
mkdir -p "$scratch"/program/{src,.cargo}
cat >"$scratch/program/.cargo/config.toml" <<END
[source.crates-io]
replace-with = "folder"
[source.folder]
directory = "$unpacked"
END
printf '[package]\nname = "program"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\n' >"$scratch/program/Cargo.toml"
documented rust docs/other-languages.md >"$scratch/program/src/main.rs"
cd -- "$scratch/program" || exit 1
# The program exports all that is not hidden.
export CARGO_TARGET_DIR=$scratch/target RUSTFLAGS='-C link-arg=-rdynamic'
# Without a version, cargo 1.65 takes any crate of the folder.
succeeds 'cargo add finds the packed crate' cargo add "threadclock@$version"
said=$(cargo run --quiet 2>&1)
like "$said" '^[0-9]+ cost CPU [0-9.]+[mµn]?s, user ' 'a new program that depends on it builds, and the lines of other-languages.md run in it'
if command -v nm >/dev/null; then
  exported=$(nm -D --defined-only "$CARGO_TARGET_DIR/debug/program" 2>&1)
  like "$exported" ' T main' 'a program can export its functions'
  none "$(grep tclk_ <<<"$exported")" 'the library in it exports none'
else
  skip 'the library in it exports none' 'nm is not installed'
fi

done_testing
