// SPDX-License-Identifier: Apache-2.0

//! Compiles `kernel/` and `clock/` of the C core, by the options of its Makefile.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=c");
    if !is_supported() {
        return; // lib.rs is empty there
    }
    cc::Build::new()
        .files(sources("kernel"))
        .files(sources("clock"))
        .files(sources("clock/divide"))
        .include("c")
        .define("_GNU_SOURCE", None)
        .define("TCLK_STATIC", None)
        .define("TCLK_VERSION", Some(concat!("\"", env!("CARGO_PKG_VERSION"), "\"")))
        .std("c11")
        .flag("-fvisibility=hidden")
        .flag("-fno-plt")
        // The least expensive access to thread-local words in shared objects; see the Makefile.
        .flag_if_supported("-mtls-dialect=gnu2")
        // A signal handler's read need not touch vector registers.
        .flag_if_supported("-mgeneral-regs-only")
        .pic(true)
        .opt_level(2) // also in debug builds: a reading costs what it costs in release builds
        .warnings(false)
        .compile("threadclock");
}

fn is_supported() -> bool {
    let target = |name| env::var(name).unwrap_or_default();
    target("CARGO_CFG_TARGET_OS") == "linux"
        && target("CARGO_CFG_TARGET_POINTER_WIDTH") == "64"
        && target("CARGO_CFG_TARGET_ENDIAN") == "little"
        && matches!(target("CARGO_CFG_TARGET_ARCH").as_str(), "x86_64" | "aarch64")
}

/// The C files of one folder, in the same order everywhere. cargo looks at times of files behind links only if it is
/// told each.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for name in [folder, "include"] {
        let path = PathBuf::from("c").join(name);
        for entry in fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {}", path.display(), error)) {
            files.push(entry.expect("a folder of sources that can be read").path());
        }
    }
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
    }
    files.retain(|file| file.extension().map_or(false, |extension| extension == "c"));
    files.sort();
    files
}
