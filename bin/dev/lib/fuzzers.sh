# shellcheck shell=bash
# Sourced after setup.sh: feeds hostile input to the readers.

# Each with the room that it belongs to.
fuzzers=(content:decode content:tree content:links engine:extract langid:pack figures:records figures:states)
fuzzers+=(wikipedia:wikitext)

# build_fuzzers HOST ROOM...: the flags are those of cargo-fuzz without the address sanitizer, so
# that any compiler can build them: nearly all of our code is safe.
build_fuzzers() {
  local host=$1 room flags
  shift
  flags="--cfg fuzzing -Cdebug-assertions -Cpasses=sancov-module"
  flags+=" -Cllvm-args=-sanitizer-coverage-level=4"
  flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
  flags+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
  for room in "$@"; do
    # With the host named, only our code is compiled with coverage, and not what runs while
    # compiling. Optimised a little: the build takes longer than the fuzzing of a change.
    (cd "$root/rust/$room/fuzz" && RUSTFLAGS=$flags CARGO_TARGET_DIR=$root/target/fuzz \
      CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
      cargo build --quiet --release --target "$host") </dev/null >&2 ||
      { say "the fuzzers of rust/$room did not build"; return 1; }
  done
}

# inputs_of TARGET: how many inputs its last run had.
inputs_of() { awk '/number_of_executed_units/ { print $2 }' "$root/build/fuzz/$1.log"; }

# fuzz SECONDS ROOM:TARGET...: runs fuzzers side by side. It fails if one finds something, which is
# then in build/fuzz. It sets fuzz_passed and fuzz_failed.
fuzz() {
  local seconds=$1 pair room target host work=$root/build/fuzz failed=0 seeds rooms
  shift
  # shellcheck disable=SC2119 # the arguments are for the fuzzers
  need_rust
  mkdir -p "$work"
  host=$(rustc -vV | awk '/^host:/ { print $2 }')
  mapfile -t rooms < <(printf '%s\n' "${@%%:*}" | sort -u)
  say "building the fuzzers"
  build_fuzzers "$host" "${rooms[@]}" || { fuzz_failed=$#; return 1; }
  say "fuzzing ${*##*:} for $seconds s (log: build/fuzz)"
  for pair in "$@"; do
    room=${pair%%:*} target=${pair##*:}
    mkdir -p "$work/$target"
    seeds=("$root/rust/$room/fuzz/seeds/$target")
    [[ -d ${seeds[0]} ]] || seeds=()
    "$root/target/fuzz/$host/release/$target" -max_total_time="$seconds" -max_len=4096 -timeout=30 \
      -rss_limit_mb=2000 -print_final_stats=1 -artifact_prefix="$work/$target-" \
      "$work/$target" "${seeds[@]}" </dev/null >"$work/$target.log" 2>&1 &
  done
  for pair in "$@"; do
    wait -n || failed=$((failed + 1))
  done
  for pair in "$@"; do
    target=${pair##*:}
    say "$target: $(inputs_of "$target") inputs"
    if ! grep -q "^Done [0-9]* runs" "$work/$target.log"; then
      tail -n 40 "$work/$target.log" >&2
    fi
  done
  # shellcheck disable=SC2034 # the caller reads them
  fuzz_passed=$(($# - failed)) fuzz_failed=$failed
  ((!failed))
}
