#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The promises of the Rust crate; crate.t has all the rest.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../../launcher/test/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1

readonly sentence='no promise is broken in Rust'
export CARGO_TARGET_DIR=$PWD/target CARGO_TERM_COLOR=never
if ! command -v cargo >/dev/null; then
  skip "$sentence" 'cargo is not installed'
elif ! said=$(CARGO_NET_RETRY=1 CARGO_HTTP_TIMEOUT=10 timeout 60 cargo fetch --locked --target "$(rustc -vV | sed -n 's/^host: //p')" 2>&1); then
  skip "$sentence" 'cargo cannot fetch the crates that Cargo.lock names'
  tap_explain "$said"
else
  # Those whose verdict does not depend on what the machine takes.
  said=$(CARGO_NET_OFFLINE=true CARGO_BUILD_JOBS=1 CARGO_PROFILE_DEV_DEBUG=0 cargo test --locked -p threadclock --test promises --test accounts -- law never_go_back error_in_the_child 2>&1)
  status=$?
  is "$status, $(grep -c '^test .* ok$' <<<"$said")" '0, 4' "$sentence"
  ((status == 0)) || tap_explain "$said"
fi

done_testing
