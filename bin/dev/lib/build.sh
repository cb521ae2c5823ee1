# shellcheck shell=bash
# Sourced after setup.sh: builds for this machine.

# is_fresh STAMP SOURCE...: no file or folder under the sources is newer than the stamp.
is_fresh() {
  local stamp=$1
  shift
  [[ -f $stamp && -z $(cd "$root" && find "$@" -name build -prune -o -newer "$stamp" -print -quit) ]]
}

rust_stamp=$root/target/release/.corpulyzer-stamp
rust_sources=(Cargo.toml Cargo.lock rust tests/web nutch-conf)
java_stamp=$root/build/.corpulyzer-stamp
java_sources=("${rust_sources[@]}" plugin.xml java build.gradle dist.gradle settings.gradle)

# one_build FUNCTION: runs a function that builds. If another build runs in this clone, it waits for
# that one first. A build inside of a build runs at once, and so does each on a machine without flock
# (util-linux).
one_build() {
  local lock
  if [[ ${CORPULYZER_BUILDS:-} == "$root" ]] || ! command -v flock >/dev/null; then
    "$1"
    return
  fi
  mkdir -p "$root/build"
  exec {lock}>>"$root/build/.corpulyzer-lock"
  flock -w 3 "$lock" || {
    say "another build runs in this clone; waiting for its end"
    # Some file systems have no locks.
    with_progress "waiting for the other build" flock "$lock" || true
  }
  local -x CORPULYZER_BUILDS=$root
  "$1"
  # A process that a build left behind may have the file open still.
  flock -u "$lock" || true
  exec {lock}>&-
}

is_rust_fresh() { is_fresh "$rust_stamp" "${rust_sources[@]}"; }
is_java_fresh() { is_rust_fresh && is_fresh "$java_stamp" "${java_sources[@]}"; }

build_rust() {
  is_rust_fresh && return
  need_rust
  one_build compile_rust
}

# Another build may have made it while this one waited.
compile_rust() {
  local began
  is_rust_fresh && return
  say "building the Rust side (the first time takes minutes)"
  began=$(mktemp)
  (cd "$root" && with_progress "the Rust side" cargo build --release) </dev/null >&2 ||
    die "the Rust side did not build"
  mv "$began" "$rust_stamp"
}

# Prints what Gradle does and its errors: not what was already done, and of its many downloads only
# a count now and then.
thin_out() {
  awk '/^(openjdk version|OpenJDK) |UP-TO-DATE$|NO-SOURCE$/ { next }
       /^Download / { if (++n % 50 == 0) print "downloaded " n " files"; next }
       NF; { fflush() }'
}

run_gradle() {
  # Gradle's process ends before the optimising compiler is worth its time: without it, compiling all
  # Java takes half of the processor time.
  local -x GRADLE_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${GRADLE_OPTS:-}"
  # One build at a time and no process left behind. Gradle needs no terminal.
  (cd "$root" && gradle --no-daemon --console=plain "$@") </dev/null 2>&1 | thin_out >&2
}

build_java() {
  need_java
  is_java_fresh && return
  need_rust gradle:gradle
  one_build compile_java
}

compile_java() {
  local began
  is_java_fresh && return
  build_rust
  say "building the Java side (the first time downloads Nutch, Hadoop and HBase)"
  began=$(mktemp)
  with_progress "the Java side" run_gradle ready || die "the Java side did not build"
  mkdir -p "$root/build" && mv "$began" "$java_stamp"
}
