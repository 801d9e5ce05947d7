// SPDX-License-Identifier: Apache-2.0

//! The declarations of lib.rs are those of threadclock.h: the C compiler compares them.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use std::fmt::Write as _;
use std::io::Write as _;
use std::mem::size_of;
use std::process::{Command, Stdio};
use threadclock_sys::*;

/// What the C compiler says of assertions that follow the header; nothing if all of them hold.
fn refusals(assertions: &str) -> String {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut words = compiler.split_whitespace();
    let mut child = Command::new(words.next().expect("a name in CC"))
        .args(words)
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
        .args(["-I", concat!(env!("CARGO_MANIFEST_DIR"), "/c/include"), "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("the C compiler {} did not start: {}", compiler, error));
    let source = format!("#include <threadclock.h>\n{}", assertions);
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), said.is_empty(), "{}", said);
    said
}

/// Assertions that a struct has this size, and these fields at these places and of these sizes.
macro_rules! layout {
    ($type:ident { $($field:ident),+ $(,)? }) => {{
        let sample = $type::default();
        let $type { $($field: _),+ } = sample; // no field is left out
        let mut text = format!("_Static_assert(sizeof(struct {0}) == {1}, \"size of {0}\");\n",
            stringify!($type), size_of::<$type>());
        $(
            let offset = &sample.$field as *const _ as usize - &sample as *const _ as usize;
            writeln!(text, "_Static_assert(offsetof(struct {0}, {1}) == {2} && sizeof ((struct {0} *)0)->{1} == {3}, \"{0}.{1}\");",
                stringify!($type), stringify!($field), offset, std::mem::size_of_val(&sample.$field)).unwrap();
        )+
        text
    }};
}

macro_rules! constants {
    ($($name:ident),+ $(,)?) => {
        concat!($("_Static_assert(", stringify!($name), " == (RUST_", stringify!($name), "), \"", stringify!($name), "\");\n"),+)
            .to_owned()
            $(.replace(concat!("RUST_", stringify!($name), ")"), &format!("{})", $name)))+
    };
}

#[test]
fn structs_have_the_headers_sizes_and_offsets() {
    let mut all = layout!(tclk_times { cpu_ns, user_ns, system_ns });
    all += &layout!(tclk_waits { run_delay_ns, voluntary_switches, involuntary_switches });
    all += &layout!(tclk_config { source, split, window_ns, sample_period_ns });
    all += &layout!(tclk_stats {
        resyncs_first,
        resyncs_switch,
        resyncs_window,
        resyncs_ahead,
        resyncs_overlap,
        resyncs_unarmed,
        lost,
        demotions,
        threads,
        threads_observed,
        threads_suspected,
        threads_unsampled
    });
    assert_eq!(refusals(&all), "");
}

#[test]
fn constants_have_the_headers_values() {
    let all = constants!(
        TCLK_SOURCE_AUTO,
        TCLK_SOURCE_RSEQ,
        TCLK_SOURCE_PERF,
        TCLK_SOURCE_CLOCK,
        TCLK_SOURCE_TICKS,
        TCLK_SOURCE_PROC,
        TCLK_SOURCE_IDS,
        TCLK_SPLIT_SMOOTHED,
        TCLK_SPLIT_TICKS,
        TCLK_SPLIT_SAMPLED,
        TCLK_UNKNOWN,
    );
    assert_eq!(refusals(&all), "");
}

#[test]
fn functions_have_the_headers_types() {
    let all = format!(
        "int64_t (*const a)(void) = tclk_thread_cpu_ns, (*const b)(void) = tclk_thread_user_ns;
        int (*const c)(struct tclk_times *) = tclk_thread_read;
        int (*const d)(struct tclk_waits *, size_t) = tclk_thread_waits_sized;
        int (*const e)(pid_t, struct tclk_times *) = tclk_tid_read;
        int64_t (*const f)(pid_t) = tclk_tid_cpu_ns, (*const g)(pid_t) = tclk_tid_user_ns;
        size_t (*const h)(const pid_t *, size_t, struct tclk_times *) = tclk_tids_read;
        int (*const i)(pid_t, struct tclk_waits *, size_t) = tclk_tid_waits_sized;
        int (*const j)(const struct tclk_config *, size_t) = tclk_clock_configure_sized;
        enum tclk_source (*const k)(void) = tclk_clock_source;
        size_t (*const l)(char *, size_t) = tclk_clock_explain;
        size_t (*const m)(enum tclk_source, char *, size_t) = tclk_source_explain;
        void (*const n)(struct tclk_stats *, size_t) = tclk_clock_stats_sized;
        const char *(*const o)(enum tclk_source) = tclk_source_name, *(*const p)(void) = tclk_version;
        _Static_assert(sizeof(pid_t) == {} && sizeof(int) == {} && sizeof(enum tclk_source) == {} && ((char)-1 < 0) == {}, \"types\");\n",
        size_of::<pid_t>(),
        size_of::<c_int>(),
        size_of::<tclk_source>(),
        i32::from(c_char::MIN != 0)
    );
    assert_eq!(refusals(&all), "");
}

#[test]
fn a_wrong_size_is_refused() {
    assert!(refusals("_Static_assert(sizeof(struct tclk_times) == 23, \"planted\");\n").contains("planted"));
}

#[test]
fn every_function_can_be_called() {
    let mut times = [tclk_times::default(); 1];
    let mut waits = tclk_waits::default();
    let mut stats = tclk_stats::default();
    let mut text = [0 as c_char; 64];
    // SAFETY: every pointer is to a value of its type and size.
    unsafe {
        assert!(tclk_thread_cpu_ns() >= 0 && tclk_thread_user_ns() >= 0);
        assert_eq!(tclk_thread_read(&mut times[0]), 0);
        assert_eq!(times[0].user_ns + times[0].system_ns, times[0].cpu_ns);
        tclk_thread_waits_sized(&mut waits, size_of::<tclk_waits>());
        assert_eq!(tclk_tid_read(0x3fff_ffff, &mut times[0]), -3); // ESRCH
        assert!(tclk_tid_cpu_ns(0x3fff_ffff) < 0 && tclk_tid_user_ns(0x3fff_ffff) < 0);
        assert!(tclk_tid_waits_sized(0x3fff_ffff, &mut waits, size_of::<tclk_waits>()) < 0);
        assert_eq!(tclk_tids_read(&0x3fff_ffff, 1, times.as_mut_ptr()), 0);
        assert_eq!(tclk_clock_configure_sized(&tclk_config::default(), size_of::<tclk_config>()), 0);
        tclk_clock_stats_sized(&mut stats, size_of::<tclk_stats>());
        assert!(stats.threads >= 1);
        assert!(tclk_clock_explain(text.as_mut_ptr(), text.len()) > 0);
        assert!(tclk_source_explain(tclk_clock_source(), text.as_mut_ptr(), text.len()) > 0);
        let said = |name| std::ffi::CStr::from_ptr(name).to_str().unwrap();
        assert!(!said(tclk_source_name(tclk_clock_source())).is_empty());
        assert_eq!(said(tclk_version()), env!("CARGO_PKG_VERSION"));
    }
}
