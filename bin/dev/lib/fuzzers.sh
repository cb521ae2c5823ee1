# shellcheck shell=bash
# Sourced after setup.sh: feeds hostile input to the readers.

# The targets in tests/fuzz, those that need only the crate `content` first.
page_fuzzers=(decode tree links)
fuzzers=("${page_fuzzers[@]}" extract pack records states wikitext)

# build_fuzzers HOST TARGET...: the flags are those of cargo-fuzz without the address sanitizer, so
# that any compiler can build them: nearly all of our code is safe.
build_fuzzers() {
  local host=$1 flags target features=()
  shift
  for target; do
    [[ " ${page_fuzzers[*]} " == *" $target "* ]] || features=(--features=all)
  done
  flags="--cfg fuzzing -Cdebug-assertions -Cpasses=sancov-module"
  flags+=" -Cllvm-args=-sanitizer-coverage-level=4"
  flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
  flags+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
  # With the host named, what runs while compiling is compiled without coverage.
  (cd "$root/tests/fuzz" && RUSTFLAGS=$flags CARGO_TARGET_DIR=$root/target/fuzz \
    cargo build --quiet --release --target "$host" "${features[@]}" "${@/#/--bin=}") </dev/null >&2 ||
    { say "the fuzzers did not build"; return 1; }
}

# inputs_of TARGET: how many inputs its last run had.
inputs_of() { awk '/number_of_executed_units/ { print $2 }' "$root/build/fuzz/$1.log"; }

# fuzz SECONDS TARGET...: runs fuzzers side by side. It fails if one finds something, which is then in
# build/fuzz. It sets fuzz_passed and fuzz_failed.
fuzz() {
  local seconds=$1 target host work=$root/build/fuzz failed=0 seeds
  shift
  # shellcheck disable=SC2119 # the arguments are for the fuzzers
  need_rust
  mkdir -p "$work"
  host=$(rustc -vV | awk '/^host:/ { print $2 }')
  say "building the fuzzers"
  build_fuzzers "$host" "$@" || { fuzz_failed=$#; return 1; }
  say "fuzzing $* for $seconds s (log: build/fuzz)"
  for target in "$@"; do
    mkdir -p "$work/$target"
    seeds=("$root/tests/fuzz/seeds/$target")
    [[ -d ${seeds[0]} ]] || seeds=()
    "$root/target/fuzz/$host/release/$target" -max_total_time="$seconds" -max_len=4096 -timeout=30 \
      -rss_limit_mb=2000 -print_final_stats=1 -artifact_prefix="$work/$target-" \
      "$work/$target" "${seeds[@]}" </dev/null >"$work/$target.log" 2>&1 &
  done
  for target in "$@"; do
    wait -n || failed=$((failed + 1))
  done
  for target in "$@"; do
    say "$target: $(inputs_of "$target") inputs"
    if ! grep -q "^Done [0-9]* runs" "$work/$target.log"; then
      tail -n 40 "$work/$target.log" >&2
    fi
  done
  # shellcheck disable=SC2034 # the caller reads them
  fuzz_passed=$(($# - failed)) fuzz_failed=$failed
  ((!failed))
}
