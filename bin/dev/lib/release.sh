# shellcheck shell=bash
# Sourced after dist.sh and wheel.sh: a Debian package and a container image of the command, and a
# try of everything that a release has.

: "${root:?}" "${debian:?}" "${architectures:?}"

# command_stage ARCH: the folder in which Gradle laid out the command for its zip, as in /usr/local.
command_stage() { echo "$root/build/command-stage/linux-$1"; }

# pack_debian VERSION ARCH FOLDER: the command as a Debian package in FOLDER. The same files give
# the same bytes.
pack_debian() {
  local architecture stage tree times=@315532800
  architecture=$(debian_name "$2") stage=$(command_stage "$2")
  tree=$(mktemp -d) || return 1
  mkdir -p "$tree/DEBIAN" "$tree/usr"
  cp -r "$stage/bin" "$stage/share" "$tree/usr/" || return 1
  find "$tree/usr/share/man" -type f -exec gzip -9n {} +
  {
    cat "$root/LICENSE"
    echo
    echo "The licences of the linked libraries are in THIRD-PARTY.txt."
  } >"$tree/usr/share/doc/corpulyzer/copyright"
  cat >"$tree/DEBIAN/control" <<TEXT
Package: corpulyzer
Version: $1
Architecture: $architecture
Maintainer: The Corpulyzer maintainers
Depends: libc6 (>= 2.17)
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Section: text
Priority: optional
Description: web corpora of languages that the web has little of
 Finds main content, identifies languages, and makes corpora of archives (WARC, WET, JSON lines),
 with reports, deduplication and packages. Orders the pages of a crawl by the language of their
 sites.
TEXT
  chmod -R u=rwX,go=rX "$tree"
  find "$tree" -exec touch -h -d "$times" {} +
  SOURCE_DATE_EPOCH=${times#@} dpkg-deb --build --root-owner-group -Zxz "$tree" \
    "$3/corpulyzer_$1_$architecture.deb" >&2 || return 1
  rm -rf "$tree"
}

# with_images COMMAND...: buildah with a store of our own, and without namespaces, which containers
# often forbid.
with_images() {
  BUILDAH_ISOLATION=chroot buildah --storage-driver vfs --root "$root/build/images/store" \
    --runroot "$root/build/images/run" "$@"
}

# pack_image VERSION ARCH FOLDER: an image that holds the command and Debian's C library, as an
# archive of the Open Container Initiative in FOLDER.
pack_image() {
  local architecture libraries container
  architecture=$(debian_name "$2") libraries=image-$2
  read_lists && unpack_packages "$libraries" "libc6:$architecture" || return 1
  container=$(with_images from --arch "$architecture" scratch) || return 1
  with_images copy --quiet "$container" "$debian/$libraries" / >/dev/null &&
    with_images copy --quiet "$container" "$(command_stage "$2")" /usr >/dev/null &&
    with_images config --arch "$architecture" --os linux --entrypoint '["/usr/bin/corpulyzer"]' \
      --workingdir /data --label org.opencontainers.image.version="$1" \
      --label org.opencontainers.image.licenses=Apache-2.0 \
      --label org.opencontainers.image.title=corpulyzer "$container" &&
    with_images commit --quiet --disable-compression=false --timestamp 315532800 "$container" \
      "oci-archive:$3/corpulyzer-$1-linux-$2.oci.tar:corpulyzer:$1" >/dev/null || return 1
  with_images rm "$container" >/dev/null
}

# try_root FOLDER: runs the command in FOLDER, which has nothing else but a C library.
try_root() {
  local found
  # "This is Urdu", byte by byte: a shell may have another charset.
  found=$(printf '\333\214\333\201 \330\247\330\261\330\257\331\210 \333\201\333\222\n' |
    chroot "$1" /usr/bin/corpulyzer identify) || return 1
  [[ $found == urd && $(chroot "$1" /usr/bin/corpulyzer --version) == "corpulyzer $version"* ]]
}

# try_zip, try_debian, try_image and try_wheel install the file of a release for this machine in a
# folder, and run the command.
try_zip() {
  cp -r "$debian/image-$arch" "$2" && python3 -m zipfile -e "$1" "$2.zip" &&
    cp -r "$2.zip"/*/. "$2/usr/" && chmod +x "$2/usr/bin/corpulyzer" && try_root "$2"
}

try_debian() {
  cp -r "$debian/image-$arch" "$2" && dpkg-deb -x "$1" "$2" && try_root "$2"
}

try_image() {
  local container
  container=$(with_images from "oci-archive:$1") &&
    cp -r "$(with_images mount "$container")" "$2" && with_images umount "$container" >/dev/null &&
    with_images rm "$container" >/dev/null && try_root "$2"
}

try_wheel() {
  python3 -m venv "$2" &&
    "$2/bin/python" -m pip --quiet --disable-pip-version-check install --no-index --no-deps "$1" &&
    (cd "$2" && bin/python -c 'import corpulyzer' && bin/corpulyzer --version >&2)
}

# try_release FOLDER: tries each file of FOLDER that is for this machine.
try_release() {
  local arch place broken=0
  arch=$(uname -m)
  place=$(mktemp -d) || return 1
  try_zip "$1"/corpulyzer-command-*-linux-"$arch".zip "$place/zip" ||
    { say "the zip fails"; broken=1; }
  try_debian "$1"/*_"$(debian_name "$arch")".deb "$place/debian" ||
    { say "the Debian package fails"; broken=1; }
  try_image "$1"/*-linux-"$arch".oci.tar "$place/image" || { say "the image fails"; broken=1; }
  try_wheel "$1"/*_"$arch".whl "$place/wheel" || { say "the wheel fails"; broken=1; }
  (cd "$1" && sha256sum --quiet --check SHA256SUMS) || broken=1
  rm -rf "$place"
  ((!broken))
}

# build_release [ARCH...]: everything that a release has, in build/release.
build_release() {
  local arch version folder=$root/build/release
  check_architectures "$@"
  ((EUID == 0)) || die "a release is made by root: it is tried with another root folder" 2
  command -v buildah >/dev/null || install_packages buildah
  build_dist "$@"
  build_wheel "$@"
  version=$(awk -F'"' '/^version = / { print $2; exit }' "$root/Cargo.toml")
  rm -rf "$folder" "$root/build/images" && mkdir -p "$folder"
  cp "$root"/build/distributions/*.{zip,tar.gz} "$root"/build/wheels/*.{whl,tar.gz} "$folder/"
  for arch in "${architectures[@]}"; do
    [[ -x $(command_stage "$arch")/bin/corpulyzer ]] || continue
    (($# == 0)) || [[ " $* " == *" $arch "* ]] || continue
    say "packing the command for $arch"
    pack_debian "$version" "$arch" "$folder" || die "there is no Debian package for $arch"
    pack_image "$version" "$arch" "$folder" || die "there is no image for $arch"
  done
  (cd "$folder" && sha256sum -- * >SHA256SUMS)
  try_release "$folder" || die "build/release was made, and this part of it is not right"
  (cd "$folder" && du -b -- *) >&2
  say "build/release is complete, and its files for $(uname -m) run where nothing else is"
}
