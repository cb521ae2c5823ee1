# shellcheck shell=bash
# Sourced by bin/corpulyzer and the scripts of bin/dev, which set $root: messages, and the tools
# that the machine must have.

[[ -d ${HOME:-/root}/.cargo/bin ]] && PATH=$PATH:${HOME:-/root}/.cargo/bin
export CARGO_TARGET_DIR=${root:?}/target

say() { printf 'corpulyzer: %s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

# need_rust [COMMAND:PACKAGE...]: Rust, the C++ compiler for CLD2, and what else the caller needs,
# in one installation.
# shellcheck disable=SC2120 # some scripts need nothing else
need_rust() {
  command -v cargo >/dev/null ||
    die "Rust is missing: install 1.88 or later from https://rustup.rs, then run this again." 2
  need_packages c++:g++ "$@"
}

need_java() {
  local javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac found
  command -v "$javac" >/dev/null ||
    die "JDK 17 is missing: apt-get install openjdk-17-jdk-headless, then run this again." 2
  # On stdout, where JAVA_TOOL_OPTIONS adds no line.
  found=$("$javac" --version 2>/dev/null || "$javac" -version 2>&1)
  [[ $found =~ ^javac\ ([0-9]+) && ${BASH_REMATCH[1]} -ge 17 ]] ||
    die "JDK 17 is needed, but $(command -v "$javac") is $found: set JAVA_HOME to a JDK 17." 2
  # Gradle and Nutch's scripts use the Java that JAVA_HOME names. Let it be the one that was
  # checked.
  JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v "$javac")")")")
  export JAVA_HOME
}

# need_packages COMMAND:PACKAGE...: installs the packages whose command is missing, or prints the
# line that would.
need_packages() {
  local pair missing=()
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
  done
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

install_packages() {
  command -v apt-get >/dev/null ||
    die "missing: $*; this is not Debian, so install them by hand." 2
  if ((EUID)); then
    say "missing: $*. Run this, then try again:"
    echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends $*" >&2
    exit 2
  fi
  say "installing $*"
  {
    apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"
  } </dev/null >&2 || die "apt-get could not install $*" 2
}

# Chromium, in which two tests open a page. A machine without it runs the other tests.
want_chromium() {
  local name
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && return
  done
  (install_packages chromium) || say "the tests that open a page in Chromium are skipped"
}

# Seconds between two lines of with_progress.
progress_seconds=30

# with_progress WHAT COMMAND...: runs a command and prints every half minute that it goes on.
with_progress() {
  local what=$1 began=$SECONDS clock code=0
  shift
  # A pipe that nobody writes to is waited for: a sleep would be left behind as a process of its
  # own. It ends with this script, also if that is killed.
  (while read -rt "$progress_seconds" _ <> <(:) || kill -0 $$ 2>/dev/null; do
    say "$what: $((SECONDS - began)) s so far"
  done) </dev/null &
  clock=$!
  "$@" || code=$?
  kill "$clock" 2>/dev/null || true
  wait "$clock" 2>/dev/null || true
  return "$code"
}
