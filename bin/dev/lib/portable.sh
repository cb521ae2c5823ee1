# shellcheck shell=bash
# Sourced after setup.sh, build.sh and debian.sh: the library and the command that run on other
# machines. They need glibc 2.17 or newer, have the C++ library and the unwinder inside, and are the
# same bytes wherever they are built (docs/adr/0005-the-library-that-travels.md).

# Another zig links other bytes, so both are pinned.
zig=(ziglang==0.17.1 cargo-zigbuild==0.24.0)
zig_home=${root:?}/build/zig
portable=$root/build/native
architectures=(x86_64 aarch64)

# zig, which links against any version of glibc, and the Cargo command that calls it. Both come from
# PyPI, into a folder of our own.
need_zig() {
  [[ $(cat "$zig_home/versions" 2>/dev/null) == "${zig[*]}" ]] && return
  # Debian's python3 alone makes no virtual environments.
  python3 -c 'import ensurepip' 2>/dev/null || install_packages python3 python3-venv
  say "fetching ${zig[*]}"
  rm -rf "$zig_home"
  {
    python3 -m venv "$zig_home" &&
      "$zig_home/bin/python" -m pip --disable-pip-version-check --quiet --retries 2 --timeout 30 \
        install --only-binary :all: "${zig[@]}"
  } </dev/null >&2 || die "zig cannot be had from PyPI; only what travels needs it." 2
  echo "${zig[*]}" >"$zig_home/versions"
}

# find_rustc ARCH: sets rustc to a compiler that has the standard library of ARCH: the machine's, or
# else Debian's. Fails if there is none.
find_rustc() {
  rustc=rustc
  [[ -d $(rustc --print sysroot)/lib/rustlib/$1-unknown-linux-gnu/lib ]] && return
  unpack_rust "$1" || return
  rustc=$debian/rust-$1/rustc
}

# portable_environment: sets clean to the start of a command line whose compilers put no path of
# this machine into their output (panics name their source file), and see no flag of the caller.
portable_environment() {
  local flags c registry
  flags=--remap-path-prefix=$root=/corpulyzer
  # Text is signed and sums are rounded as on x86_64, so that both architectures count the same
  # bytes. All C and C++ sources are those of crates, so the project's own folder, which may have
  # blanks in its name, is in none of them.
  c="-fsigned-char -ffp-contract=off"
  for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
    [[ $registry != *[[:space:]]* ]] ||
      die "CARGO_HOME is '$CARGO_HOME'; C++ builds allow no blanks in it" 2
    flags+=$'\x1f'--remap-path-prefix=$registry=/crates
    c+=" -ffile-prefix-map=$registry=/crates"
  done
  clean=(env -i "PATH=$zig_home/bin:$PATH" "HOME=$HOME" LC_ALL=C TZ=UTC
    SOURCE_DATE_EPOCH=315532800 CARGO_NET_OFFLINE=true "CARGO_TARGET_DIR=$CARGO_TARGET_DIR"
    ${CARGO_HOME:+"CARGO_HOME=$CARGO_HOME"} ${RUSTUP_HOME:+"RUSTUP_HOME=$RUSTUP_HOME"}
    ${RUSTUP_TOOLCHAIN:+"RUSTUP_TOOLCHAIN=$RUSTUP_TOOLCHAIN"} "CARGO_ENCODED_RUSTFLAGS=$flags"
    "CFLAGS=$c" "CXXFLAGS=$c -fno-exceptions -fno-rtti")
  [[ $rustc == rustc ]] || clean+=("RUSTC=$rustc")
}

# link_library ARCH: Cargo prints each crate; after the last one it links for minutes.
link_library() (
  place=$portable/linux-$1 target=$1-unknown-linux-gnu
  # The C++ library would bring 150 KB to print the names of exceptions, and CLD2 throws none. This
  # returns "out of memory".
  echo 'char *__cxa_demangle(const char *name, char *out, unsigned long *size, int *status)' \
    '{ if (status) *status = -1; return 0; }' >"$portable/demangle.c"
  cd "$portable" && umask 022 &&
    "${clean[@]}" "$zig_home/bin/python" -m ziglang cc -target "$1-linux-gnu.2.17" -Os -g0 -fPIC \
      -c demangle.c -o "$place/demangle.o" &&
    cd "$root" && "${clean[@]}" cargo-zigbuild rustc --locked --profile portable --package bridge --lib \
      --target "$target.2.17" -- -C "link-arg=$place/demangle.o" &&
    cp "$CARGO_TARGET_DIR/$target/portable/libcorpulyzer.so" "$place/"
)

link_command() (
  target=$1-unknown-linux-gnu
  cd "$root" && umask 022 &&
    "${clean[@]}" cargo-zigbuild build --locked --profile portable --package cli --bin corpulyzer \
      --target "$target.2.17" &&
    cp "$CARGO_TARGET_DIR/$target/portable/corpulyzer" "$portable/linux-$1/"
)

# build_portable PRODUCT ARCH: builds the `library` or the `command` into build/native/linux-ARCH.
# Returns 3 if there is no Rust for the architecture.
build_portable() {
  local product=$1 arch=$2 began clean rustc stamp=$portable/linux-$2/.$1-stamp
  is_fresh "$stamp" "${rust_sources[@]}" bin && return
  need_rust
  need_zig
  find_rustc "$arch" || return 3
  say "building the portable $product for $arch (some 4 minutes)"
  began=$(mktemp)
  (cd "$root" && cargo fetch --quiet --locked) </dev/null >&2 || die "the crates could not be fetched"
  portable_environment
  mkdir -p "$portable/linux-$arch"
  with_progress "the $product for $arch" "link_$product" "$arch" </dev/null >&2 ||
    die "the portable $product did not build for $arch"
  "$rustc" --version >"$portable/linux-$arch/RUSTC.txt"
  mv "$began" "$stamp"
}
