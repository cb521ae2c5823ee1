# shellcheck shell=bash
# Sourced after tests.sh: the parts of `test --full`, which are too long for every change. Each is a
# function that prints progress to stderr and its figures as one line, and may leave more of them in
# $details. If something that it needs is missing, it fails.

full_parts=(test fuzz java faults hostile releases paper size simulate deny aarch64 reproducible
  wheels)

full_test() { run_tests; }

full_fuzz() {
  local target figures=()
  fuzz "$fuzz_seconds" "${fuzzers[@]}" || return 1
  for target in "${fuzzers[@]}"; do
    figures+=("$target $(inputs_of "$target") inputs")
  done
  figures=("$(printf ', %s' "${figures[@]}")")
  echo "$fuzz_seconds s each: ${figures[0]#, }"
}

# count_results NAMES FOLDER...: prints "passed failed skipped" of the Java tests of these names in the
# rooms java/FOLDER.
count_results() {
  local names=$1 name room files=()
  shift
  shopt -s nullglob
  for room in "$@"; do
    for name in $names; do
      files+=("$root/java/$room/build/test-results/$name"/*.xml)
    done
  done
  count_tests <(echo) "${files[@]}"
}

# run_long_tests ROOM...: runs the tests *FullTest of these rooms and prints their counts.
run_long_tests() {
  local passed failed skipped broken=0 tasks=("${@/#/:}") folders=("${@/-//}")
  (cd "$root/java" && rm -rf "${folders[@]/%//build/test-results/fullTest}")
  run_gradle "${tasks[@]/%/:fullTest}" --continue || broken=1
  read -r passed failed skipped _ < <(count_results fullTest "${folders[@]}")
  echo "$passed passed, $failed failed, $skipped skipped"
  ((!broken && passed && !failed))
}

# What `test` checks in small, in other modes, with other policies and other settings.
full_java() { run_long_tests crawl nutch2-jobs; }

full_faults() { run_long_tests cluster nutch1-cluster; }

# A web with hosts that attack the crawler, crawled end to end and killed at random moments. The
# seed of the moments is printed; `gradle :crawl:hostileCrawl -Pseed=N` draws the same again.
full_hostile() {
  local failed=0
  run_gradle -q :crawl:hostileCrawl -Pfolder="$root/build/full/hostile" -Pseed="$RANDOM" 2>&1 |
    tee "$details.log" >&2 || failed=1
  awk '/^the hostile web/, / attacks tried, /' "$details.log" >"$details"
  awk '/ attacks tried, /' "$details"
  ((!failed)) && grep -q ' attacks tried, ' "$details"
}

# The releases of Nutch that a change is not tested on as a whole: what runs there on 1.22.
full_releases() {
  local passed failed skipped broken=0
  rm -rf "$root"/java/nutch1/{plugin,jobs}/build/test-results/test{Middle,Oldest}
  run_gradle -PallReleases :nutch1-plugin:testMiddle :nutch1-jobs:testMiddle :nutch1-jobs:testOldest \
    --continue || broken=1
  read -r passed failed skipped _ < <(count_results 'testMiddle testOldest' nutch1/plugin nutch1/jobs)
  echo "Nutch 1.20 and 1.21: $passed passed, $failed failed, $skipped skipped"
  ((!broken && passed && !failed))
}

# The paper's stack: the sample web on Nutch 2.4 and HBase, in both modes, by policies and by links.
full_paper() {
  local folder=$root/build/full/paper
  rm -rf "$folder"
  run_gradle :nutch2-paper:fullTest || return 1
  run_gradle -q :nutch2-paper:paperSample -Pfolder="$folder" 2>&1 | tee "$details.log" >&2
  awk '/^round /, /^ rich/' "$details.log" >"$details"
  [[ -s $details ]] && echo "mean yield $(
    awk '/^ mean/ { print $2 " in mode J, " $3 " in mode S, " $4 " with explore, " $5 " with pages, " $6 " by links" }' "$details"
  )"
}

full_size() {
  run_gradle :bench:size -Prows=10000,100000,1000000,heap 2>&1 |
    tee "$details.log" >&2 || return 1
  # Prints the output of the benchmark, without Gradle's own lines.
  awk '/^:bench:size$/ { found = 1; next } /^BUILD / { found = 0 } found' "$details.log" \
    >"$details"
  [[ -s $details ]] && echo "see below"
}

full_simulate() {
  build_rust
  "$root/target/release/corpulyzer" simulate --web all --policy all </dev/null | tee "$details" >&2
  [[ -s $details ]] && echo "see below"
}

# Licences, sources and duplicates of crates by deny.toml. cargo-deny compiles for minutes, so it is
# here and not in .ci/run.
full_deny() {
  local tools=$root/build/full/tools
  [[ -x $tools/bin/cargo-deny ]] ||
    cargo install --quiet --locked --root "$tools" cargo-deny </dev/null >&2 || return 1
  (cd "$root" && "$tools/bin/cargo-deny" --all-features check licenses bans sources) \
    </dev/null >"$details.log" 2>&1 || { cat "$details.log" >&2; return 1; }
  # Its warnings name paths of this machine, so they are not kept in the table.
  awk '/^warning\[duplicate\]/ { twice++ } { last = $0 }
    END { print last "; " twice + 0 " crates in more than one version" }' "$details.log"
}

# The library and the command for aarch64, in an emulator: the Rust tests, the tests of the bridge
# and the vectors in a Java of aarch64, and the command beside this machine's own on the pages of
# the vectors.
full_aarch64() {
  local log=$root/build/full/aarch64.log target=aarch64-unknown-linux-gnu passed failed skipped
  local java_passed java_failed broken=0 clean rustc builds
  [[ $(uname -m) == x86_64 ]] || { say "this part is for x86_64, and here is $(uname -m)"; return 1; }
  need_zig
  unpack_emulator || return 1
  # They link on one core for minutes, so the tests run beside them.
  (build_portable library aarch64 && build_portable command aarch64) &
  builds=$!
  find_rustc aarch64 && portable_environment
  # Optimised, because the emulator is slow; with all checks, as in every test.
  clean+=(CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
    "CARGO_TARGET_DIR=$root/target/aarch64"
    "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$debian/emulator/run"
    "CORPULYZER_EMULATOR=$debian/emulator/run"
    # The command is in another folder than that of a checkout, from which it would find them.
    "CORPULYZER_PACKS=$root/rust/langid/models")
  say "testing the Rust side for aarch64 (log: ${log#"$root/"})"
  # --tests: the documentation has none, and rustdoc has no standard library for aarch64.
  test_rust "$log" nice "${clean[@]}" cargo-zigbuild test --locked --workspace --tests --no-fail-fast \
    --target "$target.2.17" || broken=1
  read -r passed failed skipped _ < <(count_tests "$log")
  wait "$builds" || return 1
  rm -rf "$root/java/engine/build/test-results/aarch64Test"
  run_gradle :engine:aarch64Test -x :rust || broken=1
  read -r java_passed java_failed _ < <(count_results aarch64Test engine)
  compare_commands || broken=1
  echo "Rust: $passed passed, $failed failed, $skipped skipped;" \
    "Java: $java_passed passed, $java_failed failed"
  ((!broken && passed && java_passed && !failed && !java_failed))
}

# Both commands print the same records for the pages of the vectors.
compare_commands() {
  local folder=$root/build/full/aarch64 page number=0
  build_rust
  rm -rf "$folder" && mkdir -p "$folder"
  for page in "$root"/tests/vectors/pages/*.html; do
    "$root/target/release/corpulyzer" inspect --language ur "$page" >"$folder/here" || return 1
    "$debian/emulator/run" "$portable/linux-aarch64/corpulyzer" inspect --language ur "$page" \
      >"$folder/aarch64" || return 1
    cmp "$folder/here" "$folder/aarch64" >&2 || { say "the commands differ on $page"; return 1; }
    number=$((number + 1))
  done
  say "the command for aarch64 prints the same records for $number pages"
}

# The same commit at another path, under another umask, time zone and locale.
full_reproducible() {
  local other sums=build/distributions/SHA256SUMS
  [[ -z $(git -C "$root" status --porcelain -- . ":!$full_table") ]] ||
    { say "a clone has only what is committed: commit first"; return 1; }
  # shellcheck disable=SC2119 # both architectures
  build_dist
  other=$(mktemp -d)
  git clone --quiet "$root" "$other/another place" || return 1
  (cd "$other/another place" && umask 077 && TZ=Asia/Karachi LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=1 \
    bin/corpulyzer build dist) || return 1
  if ! cmp --silent "$root/$sums" "$other/another place/$sums"; then
    say "these files differ between the two builds (kept in $other):"
    list_differences "$other" "$root" "$other/another place"
    return 1
  fi
  cp "$root/$sums" "$details"
  rm -rf "$other"
  echo "two builds of $(awk 'END { print NR }' "$details") archives with the same bytes"
}

# The Python package: the wheels of two builds of the same commit have the same bytes, both wheels read
# the pages of the vectors alike (that for aarch64 in an emulator), and the archive of sources builds.
full_wheels() {
  local folder=$root/build/full/wheels other pages sums=build/wheels/SHA256SUMS
  [[ $(uname -m) == x86_64 ]] || { say "this part is for x86_64, and here is $(uname -m)"; return 1; }
  [[ -z $(git -C "$root" status --porcelain -- . ":!$full_table") ]] ||
    { say "a clone has only what is committed: commit first"; return 1; }
  rm -rf "$folder" && mkdir -p "$folder"
  (build_wheel) || return 1
  run_wheel x86_64 "$folder/x86_64" python3 || return 1
  unpack_emulator && unpack_python || return 1
  run_wheel aarch64 "$folder/aarch64" "$debian/python/run" || return 1
  cmp "$folder"/{x86_64,aarch64}/records >&2 || { say "the wheels read pages differently"; return 1; }
  pages=$(awk 'END { print NR }' "$folder/x86_64/records")
  say "building the wheel from the archive of sources"
  "$root/build/maturin/bin/python" -m pip --disable-pip-version-check --quiet wheel --no-deps \
    --wheel-dir "$folder/rebuilt" "$wheels"/*.tar.gz </dev/null >&2 || return 1
  other=$(mktemp -d)
  git clone --quiet "$root" "$other/another place" || return 1
  (cd "$other/another place" && umask 077 && TZ=Asia/Karachi LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=1 \
    bin/corpulyzer build wheel) || return 1
  cmp "$root/$sums" "$other/another place/$sums" >&2 ||
    { say "the wheels of the two builds differ (kept in $other)"; return 1; }
  (cd "$wheels" && du -b -- *.whl *.tar.gz) >"$details"
  rm -rf "$other"
  echo "2 wheels and an archive of sources, twice the same bytes; $pages pages alike on both architectures"
}

# run_wheel ARCH FOLDER PYTHON: unpacks a wheel, and writes what it finds on the pages of the vectors.
run_wheel() {
  mkdir -p "$2" && python3 -m zipfile -e "$wheels"/*"$1".whl "$2" &&
    PYTHONPATH=$2 "$3" "$root/rust/python/tests/records.py" "$root/tests/vectors/pages" >"$2/records"
}

# list_differences FOLDER ONE OTHER: unpacks the archives of two builds into FOLDER and compares
# them.
list_differences() {
  local folder=$1 build archive place
  shift
  for build in "$@"; do
    for archive in "$build"/build/distributions/*.zip; do
      place=$folder/${#build}/${archive##*/}
      mkdir -p "$place" && (cd "$place" && "$JAVA_HOME/bin/jar" xf "$archive" &&
        find . -name '*.jar' -execdir \
          sh -c 'mkdir "$2.d" && cd "$2.d" && "$1/bin/jar" xf "../$2"' sh "$JAVA_HOME" {} \;)
    done
  done
  (cd "$folder" && diff -rq "${#1}" "${#2}") >&2
}
