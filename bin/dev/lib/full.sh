# shellcheck shell=bash
# Sourced after parts.sh: runs the parts of `test --full` and keeps their results in one table.

full_table=docs/measurements/full-test.md
fuzz_seconds=3600

# row PART prints its line of the table; details_of PART prints its section below the table.
row() { awk -v part="| $1 |" 'index($0, part) == 1' "$root/$full_table" 2>/dev/null || true; }
details_of() { awk -v part="## $1" '/^## / { on = 0 } $0 == part { on = 1 } on' "$root/$full_table" 2>/dev/null || true; }

# minor_version [COMMIT]: the version without its last number, now or at a commit; nothing where Git
# does not know the commit, as in an archive of the sources.
minor_version() {
  {
    if (($#)); then
      git -C "$root" show "$1:Cargo.toml" 2>/dev/null || true
    else
      cat "$root/Cargo.toml"
    fi
  } | awk -F'"' '/^version = / { sub(/\.[^.]*$/, "", $2); print $2; exit }'
}

# say_stale DAYS: names the parts that the table has no line of, or one older than so many days or
# of another minor version.
say_stale() {
  local part day commit then now stale=()
  now=$(date -u +%s)
  for part in "${full_parts[@]}"; do
    [[ $part != test ]] || continue
    read -r day commit _ < <(row "$part" | awk -F' [|] ' '{ print $5, $6 }') || true
    if [[ -z $day ]]; then
      stale+=("$part (never)")
      continue
    fi
    then=$(minor_version "$commit")
    if ((now - $(date -u -d "$day" +%s) > $1 * 86400)); then
      stale+=("$part ($day)")
    elif [[ -n $then && $then != "$(minor_version)" ]]; then
      stale+=("$part ($day, version $then)")
    fi
  done
  ((!${#stale[@]})) ||
    say "long tests that were not run for $1 days or in this version, and when they were:" \
      "${stale[*]}"
}

write_table() {
  local part below fence='```' new=$root/build/full/table.md
  {
    echo "# The long tests"
    echo
    echo "\`bin/corpulyzer test --full\` writes this page: the result of the last run of each part."
    echo "\`bin/corpulyzer test --full PART...\` runs single parts and keeps the lines of the others."
    echo
    echo "| part | result | figures | minutes | date | commit | machine |"
    echo "|---|---|---|---|---|---|---|"
    for part in "${full_parts[@]}"; do
      if [[ $part == "$1" ]]; then echo "$2"; else row "$part"; fi
    done
    for part in "${full_parts[@]}"; do
      if [[ $part != "$1" ]]; then
        below=$(details_of "$part")
        [[ -z $below ]] || printf '\n%s\n' "$below"
      elif [[ -s $details ]]; then
        printf '\n## %s\n\n%s\n%s\n%s\n' "$part" "$fence" "$(<"$details")" "$fence"
      fi
    done
  } >"$new"
  mkdir -p "$root/${full_table%/*}"
  mv "$new" "$root/$full_table"
}

run_full() {
  local part parts=() began figures result failures=0 commit machine details minutes
  while (($#)); do
    case $1 in
      --fuzz-seconds)
        [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] ||
          die "--fuzz-seconds is '${2:-}'; allowed are whole numbers from 1 to 999999" 2
        fuzz_seconds=$2
        shift
        ;;
      *)
        [[ " ${full_parts[*]} " == *" $1 "* ]] ||
          die "there is no part '$1' of the full test; allowed are ${full_parts[*]}" 2
        parts+=("$1")
        ;;
    esac
    shift
  done
  ((${#parts[@]})) || parts=("${full_parts[@]}")
  need_java
  need_rust gradle:gradle git:git
  commit=$(git -C "$root" rev-parse --short=10 HEAD)
  [[ -z $(git -C "$root" status --porcelain -- . ":!$full_table") ]] || commit+=" with changes"
  machine="$(nproc) cores"
  machine+=", $(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo)"
  machine+=", $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)"
  mkdir -p "$root/build/full"
  for part in "${parts[@]}"; do
    say "full test: $part"
    began=$SECONDS details=$root/build/full/$part.txt
    rm -f "$details"
    if figures=$("full_$part"); then result=passed; else result=FAILED failures=$((failures + 1)); fi
    # Written after each part, because a later part may be interrupted.
    minutes=$(((SECONDS - began + 30) / 60))
    write_table "$part" \
      "| $part | $result | ${figures##*$'\n'} | $minutes | $(date -u +%F) | $commit | $machine |"
    say "full test: $part $result"
  done
  echo "$((${#parts[@]} - failures)) of ${#parts[@]} parts passed; $full_table has the figures"
  ((!failures))
}
