# shellcheck shell=bash
# Sourced after portable.sh: packs what others install, into build/distributions.

# pack_sources VERSION: an archive of the last commit. The same commit gives the same bytes.
pack_sources() {
  local name=corpulyzer-$1-src
  if ! git -C "$root" rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    say "there is no source archive, because this is no clone of the repository, or git is missing"
    return
  fi
  [[ -z $(git -C "$root" status --porcelain) ]] ||
    say "the source archive has the last commit, without the changes since"
  git -C "$root" -c tar.umask=0022 -c 'tar.tar.gz.command=gzip -9n' archive --format=tar.gz \
    --prefix="$name/" --output="$root/build/distributions/$name.tar.gz" HEAD
}

# write_manual: the man pages and the completions of shells, by the command for this machine.
write_manual() {
  local folder=$portable/share
  rm -rf "$folder"
  "$portable/linux-$(uname -m)/corpulyzer" generate "$folder" >&2 || die "there are no man pages"
}

# check_architectures [ARCH...]: ends if one is unknown.
check_architectures() {
  local arch
  for arch; do
    [[ " ${architectures[*]} " == *" $arch "* ]] ||
      die "there is no architecture '$arch'; allowed are ${architectures[*]}" 2
  done
}

# build_dist [--plugin] [ARCH...]: packs for these architectures, or for all; with --plugin, the zip
# of the plugin alone.
# shellcheck disable=SC2120 # bin/dev/build passes them
build_dist() {
  local arch code built=() version parts=(library command)
  [[ ${1:-} != --plugin ]] || { parts=(library) && shift; }
  check_architectures "$@"
  need_java
  need_rust gradle:gradle
  for arch in "${architectures[@]}"; do
    if (($#)) && [[ " $* " != *" $arch "* ]]; then
      # Gradle packs what is there.
      rm -rf "$portable/linux-$arch"
      continue
    fi
    [[ ${parts[*]} == *command* ]] || rm -f "$portable/linux-$arch/"{corpulyzer,.command-stamp}
    # In a process of its own, because it may end with a sentence.
    (for part in "${parts[@]}"; do build_portable "$part" "$arch" || exit; done) && code=0 || code=$?
    if ((code == 3)); then
      say "nothing is packed for $arch: install its target with" \
        "\`rustup target add $arch-unknown-linux-gnu\`"
      rm -rf "$portable/linux-$arch"
      continue
    fi
    ((code == 0)) || exit "$code"
    built+=("$arch")
  done
  ((${#built[@]})) ||
    die "Rust builds neither for x86_64-unknown-linux-gnu nor for aarch64-unknown-linux-gnu here" 2
  [[ ${parts[*]} != *command* || ! -x $portable/linux-$(uname -m)/corpulyzer ]] || write_manual
  rm -rf "$root/build/distributions"
  # The library of this machine's linker has no part in it.
  run_gradle dist -x :rust || die "the distribution did not build"
  version=$(awk -F'"' '/^version = / { print $2; exit }' "$root/Cargo.toml")
  pack_sources "$version" || die "the source archive could not be written"
  (cd "$root/build/distributions" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS >&2)
  say "packed for ${built[*]}: build/distributions"
}
