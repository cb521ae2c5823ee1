# shellcheck shell=bash
# Sourced after portable.sh: the Python package `corpulyzer` (docs/python.md). A wheel for each
# architecture, for Python 3.9 and newer on glibc 2.17 and newer, and an archive of its sources.

# Another maturin writes other bytes.
maturin_package=maturin==1.16.0
wheels=${root:?}/build/wheels

# new_environment FOLDER PACKAGE...: a Python environment of our own with packages from PyPI, unless it
# has them; an argument may be a file with a list. Returns 1 if they cannot be had.
new_environment() {
  local folder=$1 wanted=${*:2} argument
  shift
  for argument; do
    [[ ! -f $argument ]] || wanted+=$'\n'$(<"$argument")
  done
  [[ $(cat "$folder/versions" 2>/dev/null) == "$wanted" ]] && return
  # Debian's python3 alone makes no virtual environments.
  python3 -c 'import ensurepip' 2>/dev/null || install_packages python3 python3-venv
  say "fetching the packages of build/${folder##*/} from PyPI"
  rm -rf "$folder"
  {
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip --disable-pip-version-check --quiet --retries 2 --timeout 30 \
        install --no-compile --only-binary :all: "$@"
  } </dev/null >&2 || return 1
  echo "$wanted" >"$folder/versions"
}

need_maturin() {
  new_environment "$root/build/maturin" "$maturin_package" ||
    die "maturin cannot be had from PyPI; only the Python package needs it." 2
}

# lay_out_package: what the package has beside its sources: the language packs that `corpulyzer --pack
# seed|far` opens, where the models are from, man pages and completions.
lay_out_package() {
  local place=$root/rust/python/lib/corpulyzer share=$root/rust/python/data/data/share
  mkdir -p "$place/packs" && cp "$root"/rust/langid/models/{seed,far}.pack "$place/packs/" &&
    cp "$root/rust/langid/models/README.md" "$place/MODELS.md" &&
    rm -rf "$share"/{man,bash-completion,zsh,fish} && "${CORPULYZER_PROGRAMS:-$CARGO_TARGET_DIR/release}/corpulyzer" generate "$share"
}

# pack_wheel ARCH: packs the wheel of the portable profile, linked by zig.
pack_wheel() (
  cd "$root" && umask 022 &&
    "${clean[@]}" PYO3_NO_PYTHON=1 "$root/build/maturin/bin/maturin" build --locked --profile portable --zig \
      --target "$1-unknown-linux-gnu" --compatibility manylinux2014 --out "$wheels"
)

pack_sources_of_wheel() (
  cd "$root" && umask 022 && "${clean[@]}" "$root/build/maturin/bin/maturin" sdist --out "$wheels"
)

# build_wheel [ARCH...]: wheels and the archive of sources, in build/wheels.
build_wheel() {
  local arch clean rustc built=()
  need_rust
  need_zig
  need_maturin
  build_rust
  rm -rf "$wheels" && mkdir -p "$wheels"
  lay_out_package || die "the man pages of the Python package were not written"
  (cd "$root" && cargo fetch --quiet --locked) </dev/null >&2 || die "the crates could not be fetched"
  (cd "$root" && python3 bin/dev/lib/licences.py python "The Python module" \
    rust/python/lib/corpulyzer/THIRD-PARTY.txt "$zig_home"/lib/python*/site-packages/ziglang) ||
    die "the licences of the Python package were not written"
  (($#)) || set -- "${architectures[@]}"
  for arch; do
    if ! find_rustc "$arch"; then
      say "there is no wheel for $arch: install its target with" \
        "\`rustup target add $arch-unknown-linux-gnu\`"
      continue
    fi
    say "building the wheel for $arch (20 minutes on two cores)"
    portable_environment
    with_progress "the wheel for $arch" pack_wheel "$arch" </dev/null >&2 ||
      die "the wheel for $arch did not build"
    built+=("$arch")
  done
  ((${#built[@]})) || die "Rust builds for none of $* here" 2
  rustc=rustc
  portable_environment
  pack_sources_of_wheel </dev/null >&2 || die "the archive of the package's sources was not written"
  (cd "$wheels" && sha256sum -- *.whl *.tar.gz >SHA256SUMS && cat SHA256SUMS >&2)
  say "packed the Python package for ${built[*]}: build/wheels"
}

# need_python_tests: the environment that the tests of the Python package run in, and those of the
# command that read its output with other libraries. Returns 1 if its packages cannot be had.
need_python_tests() {
  local tests
  for tests in python/tests/requirements cli/tests/reference/{requirements,hub}; do
    set -- "$@" --requirement "$root/rust/$tests.txt"
  done
  new_environment "$root/build/python" "$maturin_package" "$@"
}

# test_python XML: builds the package from what was compiled before (CORPULYZER_PROGRAMS, or
# `build_rust`), installs it into an environment with the packages that it works with, and runs its
# tests; their results are in the file. Returns 2 if the packages cannot be had.
test_python() {
  local xml=$1 home=$root/build/python code=0 as=(--profile release)
  [[ ${CORPULYZER_PROGRAMS:-} != */debug ]] || as=(--profile dev --features as-tested)
  rm -rf "$xml" "$home/wheel"
  need_python_tests || return 2
  lay_out_package || { say "the man pages were not written"; return 1; }
  say "testing the Python package (results: ${xml#"$root/"})"
  {
    (cd "$root" && nice "$home/bin/python" -m maturin build --quiet --locked "${as[@]}" \
      --compatibility off --out "$home/wheel") &&
      "$home/bin/python" -m pip --disable-pip-version-check --quiet install --no-index --no-deps \
        --force-reinstall "$home"/wheel/*
  } </dev/null >&2 || { say "the Python package did not build"; return 1; }
  (cd "$root" && PYTHONPYCACHEPREFIX=$home/compiled "$home/bin/python" -m pytest -q -p no:cacheprovider \
    --junitxml "$xml") </dev/null >&2 || code=1
  # One element on each line, as count_tests reads it.
  [[ ! -f $xml ]] || sed -i 's/></>\n</g' "$xml"
  return "$code"
}
