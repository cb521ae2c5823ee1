# shellcheck shell=bash
# Sourced after build.sh, portable.sh, wheel.sh and fuzzers.sh: every test that a change must pass.

# count_tests LOG XML...: prints "passed failed skipped unexcused" over cargo's output (with
# --show-output) and JUnit's files. A test that lacks the shared data, Chromium, PyPI or root prints
# a line `skipped: ...` that names what is missing; any other skip is unexcused.
count_tests() {
  awk '
    function value(name) {
      return match($0, name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) + 0 : 0
    }
    function end_file() {
      if (skips > excuses) unexcused += skips - excuses
      skips = excuses = 0
    }
    FNR == 1 { end_file() }
    /^test result:/ { passed += $4; failed += $6; skipped += $8; skips += $8 }
    /^test .* \.\.\. ignored.*shared/ { excuses++ }
    # Rust has no skipped tests: one that returns early has passed, and says so.
    FNR == NR && /^skipped:/ { passed--; skipped++; skips++ }
    /skipped:.*(shared|Chromium|PyPI|root)/ { excuses++ }
    /<testsuite / {
      failed += value("failures") + value("errors"); skipped += value("skipped"); skips += value("skipped")
      passed += value("tests") - value("failures") - value("errors") - value("skipped")
    }
    END { end_file(); print passed + 0, failed + 0, skipped + 0, unexcused + 0 }
  ' "$@"
}

# test_rust LOG COMMAND...: runs Cargo's tests, prints the results of each crate, and what failed.
test_rust() {
  local log=$1
  shift
  (cd "$root" && "$@" -- --show-output) </dev/null 2>&1 | tee "$log" |
    awk '/^ *(Compiling|Running|Doc-tests) |^test result|^error/ { print; fflush() }' >&2 || {
    awk '/^failures:$/, /^test result/' "$log" >&2
    return 1
  }
}

# The portable library, for this machine: a library of another architecture is of an older state.
# The tests of Java run on it, because it is what operators get.
build_portable_library() {
  local arch
  for arch in "${architectures[@]}"; do
    [[ $arch == "$(uname -m)" ]] || rm -rf "$portable/linux-$arch"
  done
  build_portable library "$(uname -m)"
}

# How long a change is fuzzed with the readers of pages. `test --full fuzz` runs every fuzzer, for
# longer.
short_fuzz_seconds=30

# What the tests of Java and Python fetch, and the classes of Java. If something cannot be had, the
# test that needs it says so.
prepare_beside_rust() {
  run_gradle --quiet --parallel testClasses -x :rust || true
  need_python_tests || true
}

# test_rust_beside_java LOG: the tests of Rust.
test_rust_beside_java() {
  local code=0 lap_used=0
  test_rust "$1" cargo test --workspace --no-fail-fast || code=1
  lap "Rust tests"
  return "$code"
}

# test_beside_java XML RESULTS: the tests of the Python package, then the short fuzzing.
# RESULTS gets the exit code of the first, and how many fuzzers passed and failed.
test_beside_java() {
  local python=0 fuzz_passed=0 fuzz_failed=0 lap_used=0
  # In a process of its own, because it exits if something is missing.
  (test_python "$1") || python=$?
  lap "Python package"
  fuzz "$short_fuzz_seconds" "${page_fuzzers[@]}" || true
  lap "fuzzers"
  echo "$python $fuzz_passed $fuzz_failed" >"$2"
}

# lap WHAT: notes the seconds since this process's last lap, and the processor seconds of the commands
# that ended since; run_tests prints them at its end.
lap() {
  local used=$laps.$BASHPID
  # Redirected, because a pipe would show the times of a process of its own.
  times >"$used"
  used=$(awk -F '[ms ]+' 'END { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }' "$used"; rm "$used")
  printf '%5d s %5d s  %s\n' $((SECONDS - lap_start)) $((used - lap_used)) "$1" >>"$laps"
  lap_start=$SECONDS lap_used=$used
}

run_tests() {
  local laps=$root/build/test-times.txt lap_start=$SECONDS lap_used=0
  local log=$root/build/test-rust.log results broken=0 passed failed skipped unexcused
  local portable_tests=(:engine:portableTest) unbuilt=0 unbuildable=0
  local python_log=$root/build/test-python.xml beside=$root/build/test-beside.txt
  local rust_job beside_job portable_job prepare_job python fuzz_passed fuzz_failed
  mkdir -p "$root/build" && : >"$laps"
  need_java
  need_rust gradle:gradle
  want_chromium
  # On a new machine this waits for downloads, so it begins first.
  (prepare_beside_rust) &
  prepare_job=$!
  # In a process of its own: where zig cannot be had, the library is this machine's.
  (build_portable_library) &
  portable_job=$!
  # With the examples, which tests of Java run too. What does not compile is printed again, and
  # counted, by the tests.
  (cd "$root" && with_progress "compiling the tests of Rust" cargo test --quiet --workspace --no-run) \
    </dev/null >&2 || true
  if wait "$portable_job"; then
    # Cargo has compiled the programs with the tests of Rust.
    CORPULYZER_LIBRARY=$portable/linux-$(uname -m)/libcorpulyzer.so
    CORPULYZER_PROGRAMS=$CARGO_TARGET_DIR/debug
    export CORPULYZER_LIBRARY CORPULYZER_PROGRAMS
  else
    case $? in
      2 | 3) say "the portable library is not tested" && unbuilt=1 ;;
      *) broken=1 unbuildable=1 ;;
    esac
    portable_tests=()
    build_rust
  fi
  wait "$prepare_job" || true
  lap "compiling, and the portable library"

  # Beside the Java side, whose tests mostly wait.
  say "testing the Rust side (log: ${log#"$root/"})"
  (test_rust_beside_java "$log") &
  rust_job=$!
  rm -f "$beside"
  (test_beside_java "$python_log" "$beside") &
  beside_job=$!

  say "testing the Java side (reports: build/reports/tests of each room)"
  rm -rf "$root"/java/{*,*/*}/build/test-results/{portableTest,testNewest,testOldest}
  # Side by side: most tests of the Java side wait for clusters of theirs, not for a processor. The
  # longest begin first, because otherwise the last one runs alone for ten minutes.
  run_gradle --parallel --max-workers=4 checkJavaFormat cleanTest \
    :crawl:test :nutch2-jobs:test :nutch1-cluster:test :install:test test "${portable_tests[@]}" \
    --continue || broken=1
  lap "Java tests (beside those of Rust and Python)"

  wait "$rust_job" || broken=1
  wait "$beside_job" || true
  read -r python fuzz_passed fuzz_failed <"$beside" || {
    say "the fuzzers and the tests of the Python package did not end"
    python=1 fuzz_passed=0 fuzz_failed=${#page_fuzzers[@]}
  }
  # Where PyPI cannot be reached, only this is left out.
  case $python in
    0) ;;
    2) say "skipped: the tests of the Python package need PyPI" && unbuilt=$((unbuilt + 1)) ;;
    *) broken=1 ;;
  esac
  ((!fuzz_failed)) || broken=1

  shopt -s nullglob
  results=("$root"/java/{*,*/*}/build/test-results/{test,testNewest,testOldest,portableTest}/*.xml)
  [[ ! -f $python_log ]] || results+=("$python_log")
  read -r passed failed skipped unexcused < <(count_tests "$log" "${results[@]}")
  passed=$((passed + fuzz_passed)) skipped=$((skipped + unbuilt))
  failed=$((failed + fuzz_failed + unbuildable))
  if ((unexcused > 0)); then
    say "$unexcused of the skipped tests did not say that they lack the shared data, Chromium," \
      "PyPI or root, which counts as a failure"
    broken=1
  fi
  if ((broken && !failed && unexcused <= 0)); then
    say "a test could not be built or its process died; see above"
    failed=1
  fi
  say "where the time went (by the clock, and of processors):" && cat "$laps" >&2
  say_stale 30
  echo "$passed passed, $failed failed, $skipped skipped"
  ((!broken && !failed))
}
