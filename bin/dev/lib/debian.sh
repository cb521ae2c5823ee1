# shellcheck shell=bash
# Sourced after setup.sh: packages of Debian for two architectures, unpacked into build/debian
# without root. They are not installed: Debian's Rust cannot be installed beside another Rust, and
# packages of another architecture change the whole machine. apt checks their signatures all the
# same.

debian=${root:?}/build/debian

# debian_name ARCH: Debian's name of an architecture.
debian_name() {
  case $1 in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) echo "$1" ;;
  esac
}

# with_own_lists COMMAND ARGUMENTS: runs apt-get or apt-cache with lists of both architectures,
# which are in build/debian.
with_own_lists() {
  local command=$1
  shift
  "$command" -q -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 \
    -o APT::Sandbox::User=root -o Dir::State="$debian/apt" -o Dir::State::status=/dev/null \
    -o Dir::Cache="$debian/apt/cache" "$@"
}

# read_lists: fetches the lists of packages. It fails with a sentence if it cannot.
read_lists() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    say "this is not Debian: there is no apt-get or no dpkg-deb"
    return 1
  fi
  mkdir -p "$debian/apt/lists/partial" "$debian/apt/cache/archives/partial"
  with_own_lists apt-get update </dev/null >"$debian/apt/log" 2>&1 ||
    { tail -n 3 "$debian/apt/log" >&2; say "the lists of Debian's packages cannot be fetched"; return 1; }
}

# dependency PACKAGE PATTERN: the package that PACKAGE depends on whose name fits the pattern.
dependency() {
  with_own_lists apt-cache depends "$1" 2>/dev/null |
    awk -v pattern="^$2\$" '$1 ~ /^(Pre)?Depends:$/ && $2 ~ pattern { print $2; exit }'
}

# unpack_packages FOLDER PACKAGE...: fetches packages and unpacks them into build/debian/FOLDER. The
# caller has read the lists.
unpack_packages() {
  local folder=$debian/$1 archive
  shift
  say "fetching Debian's $* into build/debian"
  rm -rf "$folder"
  mkdir -p "$folder/archives"
  (cd "$folder/archives" && with_own_lists apt-get download "$@") </dev/null >"$debian/apt/log" 2>&1 ||
    { tail -n 3 "$debian/apt/log" >&2; say "Debian's packages cannot be fetched: $*"; return 1; }
  for archive in "$folder"/archives/*.deb; do
    dpkg-deb -x "$archive" "$folder" || return 1
  done
  rm -r "$folder/archives"
}

# unpack_rust ARCH: Debian's Rust for this machine, with the standard library of ARCH. Makes
# build/debian/rust-ARCH/rustc. `rustc-web` is the newer Rust that Debian builds browsers with; it
# is in the security archive.
unpack_rust() {
  local folder=$debian/rust-$1 host library llvm
  [[ -x $folder/rustc ]] && return
  host=$(uname -m)
  read_lists || return
  library=$(dependency libstd-rust-web-dev 'libstd-rust-web-[0-9.]+')
  llvm=$(dependency "$library" 'libllvm[0-9]+')
  [[ -n $library && -n $llvm ]] ||
    { say "Debian's lists have no rustc-web; its security archive has it"; return 1; }
  unpack_packages "rust-$1" rustc-web "$library" "$llvm" libstd-rust-web-dev \
    "libstd-rust-web-dev:$(debian_name "$1")" || return
  cat >"$folder/rustc" <<TEXT
#!/bin/sh
LD_LIBRARY_PATH='$folder/usr/lib/$host-linux-gnu' exec '$folder/usr/bin/rustc' --sysroot '$folder/usr' "\$@"
TEXT
  chmod +x "$folder/rustc"
  "$folder/rustc" --version >&2 || { rm "$folder/rustc"; say "Debian's Rust does not start"; return 1; }
}

# unpack_emulator: what runs programs of aarch64 here: qemu, the C library, and a Java.
unpack_emulator() {
  local folder=$debian/emulator arch=arm64
  [[ -x $folder/run && -x $folder/java ]] && return
  read_lists || return
  unpack_packages emulator qemu-user-static "libc6:$arch" "libgcc-s1:$arch" "libstdc++6:$arch" \
    "zlib1g:$arch" "openjdk-17-jre-headless:$arch" || return
  cat >"$folder/run" <<TEXT
#!/bin/sh
exec '$folder/usr/bin/qemu-aarch64-static' -L '$folder' "\$@"
TEXT
  cat >"$folder/java" <<TEXT
#!/bin/sh
exec '$folder/run' '$folder/usr/lib/jvm/java-17-openjdk-$arch/bin/java' "\$@"
TEXT
  chmod +x "$folder/run" "$folder/java"
}

# unpack_python: a Python of aarch64, run by the emulator: build/debian/python/run.
unpack_python() {
  local folder=$debian/python arch=arm64 python
  [[ -x $folder/run ]] && return
  read_lists || return
  python=$(dependency "python3-minimal:$arch" 'python3[.][0-9]+-minimal(:arm64)?')
  python=${python%-minimal*}
  [[ -n $python ]] || { say "Debian's lists have no python3-minimal for $arch"; return 1; }
  unpack_packages python "$python-minimal:$arch" "lib$python-minimal:$arch" "lib$python-stdlib:$arch" \
    "libexpat1:$arch" || return
  cat >"$folder/run" <<TEXT
#!/bin/sh
PYTHONHOME='$folder/usr' LD_LIBRARY_PATH='$folder/lib/aarch64-linux-gnu:$folder/usr/lib/aarch64-linux-gnu' \\
  exec '$debian/emulator/run' '$folder/usr/bin/$python' "\$@"
TEXT
  chmod +x "$folder/run"
}
