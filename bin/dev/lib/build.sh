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

build_rust() {
  local began
  is_fresh "$rust_stamp" "${rust_sources[@]}" && return
  need_rust
  say "building the Rust side (the first time takes minutes)"
  began=$(mktemp)
  (cd "$root" && cargo build --release) </dev/null >&2 || die "the Rust side did not build"
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
  local began
  need_java
  is_fresh "$rust_stamp" "${rust_sources[@]}" && is_fresh "$java_stamp" "${java_sources[@]}" && return
  need_rust gradle:gradle
  build_rust
  say "building the Java side (the first time downloads Nutch, Hadoop and HBase)"
  began=$(mktemp)
  run_gradle ready || die "the Java side did not build"
  mkdir -p "$root/build" && mv "$began" "$java_stamp"
}
