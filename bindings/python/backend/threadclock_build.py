# SPDX-License-Identifier: Apache-2.0
"""Builds the package: as pip's build backend for the machine that it runs on, and as a program for all platforms.

    threadclock_build.py ZIG FOLDER [TARGET…]    wheels by Zig's C compiler, of all targets if none is named, and the sdist

The same sources, compiler and Python give the same bytes. SOURCE_DATE_EPOCH is the time of all files in them."""

import base64
import csv
import gzip
import hashlib
import io
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PACKAGE = HERE / "src" / "threadclock"
# The C library: in a source distribution here, in a checkout where it is developed.
CORE = HERE / "core" if (HERE / "core").is_dir() else HERE.parent.parent / "native" / "src" / "main" / "c"
LICENSE = HERE / "LICENSE" if (HERE / "LICENSE").is_file() else HERE.parent.parent / "LICENSE"

VERSION = re.search(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text(), re.MULTILINE).group(1)
STEM = f"threadclock-{VERSION}"
EXTENSION = "_clock.abi3.so"
EARLIEST_EPOCH = 315532800  # 1980-01-01: a zip file has no earlier time

# Targets of Zig, and the platform tags of what is built for them.
TARGETS = {
    "x86_64-linux-gnu.2.17": ["manylinux_2_17_x86_64", "manylinux2014_x86_64"],
    "aarch64-linux-gnu.2.17": ["manylinux_2_17_aarch64", "manylinux2014_aarch64"],
    "x86_64-linux-musl": ["musllinux_1_1_x86_64"],
    "aarch64-linux-musl": ["musllinux_1_1_aarch64"],
}

# Why the C library needs each of these, its Makefile says.
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-fno-plt"]
TLS_DESCRIPTORS = "-mtls-dialect=gnu2"  # for x86_64; aarch64 has nothing else
GENERAL_REGISTERS = "-mgeneral-regs-only"
LINK_FLAGS = ["-shared", "-Wl,-z,nodelete", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,noexecstack", "-Wl,-Bsymbolic"]
LINK_FLAGS += ["-Wl,--strip-debug", "-Wl,--build-id=none"]


# ---- what pip calls ----


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    if not _is_supported():
        return _write_wheel(Path(wheel_directory), "py3-none", ["any"], None).name
    compiler = shlex.split(os.environ.get("CC") or "cc")
    flags = [flag for flag in (TLS_DESCRIPTORS, GENERAL_REGISTERS) if _accepts(compiler, flag)]
    include = [_include(), sysconfig.get_path("platinclude")]
    with tempfile.TemporaryDirectory() as folder:
        built = _compile(compiler, flags, include, folder)
        tag = "linux_" + platform.machine()
        return _write_wheel(Path(wheel_directory), "cp38-abi3", [tag], built).name


def build_sdist(sdist_directory, config_settings=None):
    files = {f"src/threadclock/{file.name}": file for file in _package_files(with_sources=True)}
    files.update({f"backend/{file.name}": file for file in (HERE / "backend").iterdir() if file.is_file()})
    files.update({f"tests/{file.name}": file for file in (HERE / "tests").glob("*.py")})
    files.update({f"core/{file.relative_to(CORE)}": file for file in _core_files("[ch]")})
    files.update({name: HERE / name for name in ("README.md", "pyproject.toml")})
    files["LICENSE"] = LICENSE
    contents = {f"{STEM}/{name}": file.read_bytes() for name, file in files.items()}
    contents[f"{STEM}/PKG-INFO"] = _metadata()
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(contents):
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(contents[name]), _epoch()
            tar.addfile(member, io.BytesIO(contents[name]))
    path = Path(sdist_directory) / f"{STEM}.tar.gz"
    path.write_bytes(gzip.compress(archive.getvalue(), mtime=_epoch()))
    return path.name


def _is_supported():
    """The limited API does not exist in builds without a global lock; other implementations emulate it slowly."""
    return (
        sys.platform == "linux"
        and platform.machine() in ("x86_64", "aarch64")
        and sys.maxsize > 2**32
        and sys.implementation.name == "cpython"
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
    )


# ---- for all platforms ----


def build_for(zig, target, folder):
    # Zig takes GENERAL_REGISTERS back because it names the CPU's features after it.
    flags = ["-mno-implicit-float", *([TLS_DESCRIPTORS] if target.startswith("x86_64") else [])]
    with tempfile.TemporaryDirectory() as scratch:
        headers = Path(scratch) / "include"
        shutil.copytree(_include(), headers)
        # Debian's includes one of several by the target's architecture, of which only the machine's own is here. What
        # they say is the same on all targets.
        debians = _include().parent / str(sysconfig.get_config_var("MULTIARCH")) / _include().name / "pyconfig.h"
        if debians.is_file():
            shutil.copy(debians, headers)
        built = _compile([zig, "cc", "-target", target], flags, [headers], scratch)
        return _write_wheel(Path(folder), "cp38-abi3", TARGETS[target], built)


def _include():
    return Path(sysconfig.get_path("include"))


# ---- the C module ----


def _core_files(kinds):
    return [CORE / "include" / "threadclock.h"] * (kinds != "c") + [
        file for layer in ("kernel", "clock", "clock/divide") for file in sorted((CORE / layer).glob(f"*.{kinds}"))
    ]


def _compile(compiler, flags, include, folder):
    built = Path(folder) / EXTENSION
    defined = ["-D_GNU_SOURCE", f'-DTCLK_VERSION="{VERSION}"', f"-I{CORE}", *(f"-I{path}" for path in include)]
    sources = [str(source) for source in (*_core_files("c"), PACKAGE / "_clock.c")]
    names = f"-Wl,--version-script={PACKAGE / '_clock.map'}"
    _run([*compiler, *FLAGS, *flags, *defined, *LINK_FLAGS, names, "-o", str(built), *sources, "-lpthread", "-ldl"])
    return built.read_bytes()


def _accepts(compiler, flag):
    command = [*compiler, "-Werror", flag, "-x", "c", "-c", os.devnull, "-o", os.devnull]
    try:
        return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except FileNotFoundError:
        return False  # _run says so


def _run(command):
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        sys.exit(f"no C compiler: {command[0]!r} is not on the PATH. Install one, or name it in CC.")
    except subprocess.CalledProcessError as error:
        sys.exit(f"compiling failed: {command[0]} ended with status {error.returncode}. Its messages are above.")


# ---- files ----


def _epoch():
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST_EPOCH)), EARLIEST_EPOCH)


def _metadata():
    head = (HERE / "backend" / "METADATA").read_text(encoding="utf-8").replace("@VERSION@", VERSION)
    return (head + (HERE / "README.md").read_text(encoding="utf-8")).encode()


def _package_files(with_sources):
    kinds = (".py", ".pyi", ".typed", *((".c", ".map") if with_sources else ()))
    return [file for file in sorted(PACKAGE.iterdir()) if file.suffix in kinds]


def _write_wheel(folder, python_and_abi, platforms, extension):
    information = f"{STEM}.dist-info"
    files = {f"threadclock/{file.name}": file.read_bytes() for file in _package_files(with_sources=False)}
    if extension is not None:
        files[f"threadclock/{EXTENSION}"] = extension
    files[f"{information}/METADATA"] = _metadata()
    files[f"{information}/licenses/LICENSE"] = LICENSE.read_bytes()
    files[f"{information}/WHEEL"] = "".join(
        [
            "Wheel-Version: 1.0\n",
            f"Generator: threadclock_build {VERSION}\n",
            f"Root-Is-Purelib: {'true' if extension is None else 'false'}\n",
            *(f"Tag: {python_and_abi}-{tag}\n" for tag in platforms),
        ]
    ).encode()
    files[f"{information}/RECORD"] = _record(files, f"{information}/RECORD")
    path = folder / f"{STEM}-{python_and_abi}-{'.'.join(platforms)}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, time.gmtime(_epoch())[:6])
            member.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return path


def _record(files, name):
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for file, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow([file, f"sha256={digest}", len(content)])
    rows.writerow([name, "", ""])
    return text.getvalue().encode()


def main(zig, folder, *targets):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for target in targets or TARGETS:
        print(build_for(zig, target, folder))
    print(Path(folder) / build_sdist(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
