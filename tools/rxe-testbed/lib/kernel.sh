# shellcheck shell=bash
# The guest's kernel and initramfs, made once and kept in the cache. Sourced by common.sh.

# Pinned, because what rxe does differs between kernels (status codes, events): a test's result belongs to a kernel.
readonly pinned_package=linux-image-6.1.0-56-amd64
readonly pinned_version=6.1.192-2

# Enough for the initramfs to mount its root; all others are loaded later from the unpacked package.
readonly boot_modules=(virtio_pci 9pnet_virtio 9p overlay)

# An interrupted run leaves its half-made folders; the caller holds the cache's lock.
clear_cache_remains() { rm -rf "$cache"/{kernel,initramfs}.??????; }

# Sets `kernel` (folder), `release` (uname -r) and `kernel_text` (one line to report). Downloads what is not in the cache.
need_kernel() {
  local package=${DXNET_RXE_KERNEL:-$pinned_package}
  kernel=$cache/$package
  [ -s "$kernel/complete" ] || download_kernel "$package"
  release=$(<"$kernel/complete")
  kernel_text="Linux $release (Debian $(<"$kernel/version"), $(kernel_kind "$package"))"
}

kernel_kind() {
  if [ "$1" != "$pinned_package" ]; then
    echo "chosen by DXNET_RXE_KERNEL"
  elif [ "$(<"$kernel/version")" = "$pinned_version" ] && [ "linux-image-$release" = "$pinned_package" ]; then
    echo pinned
  else
    echo "NOT the pinned $pinned_version, which was gone from the archive"
  fi
}

# Leaves package $1, or what replaces it, unpacked in $kernel. Nothing of it is installed: no maintainer script runs.
download_kernel() {
  local work
  find_program apt-get >/dev/null && find_program dpkg-deb >/dev/null || die "the kernel comes from a Debian archive, but apt-get or dpkg-deb is missing."
  work=$(mktemp -d "$cache/kernel.XXXXXX")
  mkdir "$work/packages"
  say "downloading the kernel package $1"
  if [ "$1" != "$pinned_package" ]; then
    download_package "$1" || die "cannot download $1."
  elif ! { download_package "$1=$pinned_version" || download_package "$1"; } 2>/dev/null; then
    local newest
    newest=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    [ -n "$newest" ] || die "neither $1 nor any newer kernel is in the archive; is it a Debian archive for amd64?"
    say "NOTICE: $1 is gone from the archive; using $newest instead: results may differ"
    download_package "$newest" || die "cannot download $newest."
  fi
  unpack_kernel "$1"
  chmod 755 "$work"
  rm -rf "$kernel"
  mv -T "$work" "$kernel"
}

# Unpacks the packages in $work/packages, and those of the same kernel that they depend on. Debian's kernels are one package with boot/
# and lib/modules/, or several: one depends on the others, the modules are in usr/lib/modules/, and vmlinuz is beside them.
unpack_kernel() {
  local file part name
  while file=$(find "$work/packages" -name '*.deb' | head -n 1) && [ -n "$file" ]; do
    say "unpacking $(basename "$file") ($(($(stat -c %s "$file") >> 20)) MB)"
    dpkg-deb -x "$file" "$work"
    dpkg-deb -f "$file" Version >"$work/version"
    while read -r part; do
      download_package "$part" || die "cannot download $part, which $1 consists of."
    done < <(parts_of "$file")
    rm -f "$file"
  done
  rmdir "$work/packages"
  if [ -d "$work/usr/lib/modules" ]; then
    mkdir -p "$work/lib/modules"
    cp -al "$work/usr/lib/modules/." "$work/lib/modules/"
    rm -rf "$work/usr/lib/modules"
  fi
  name=$(find "$work/lib/modules" -mindepth 2 -maxdepth 2 -type d -name kernel 2>/dev/null | head -n 1)
  [ -n "$name" ] || die "$1 and what it depends on have no kernel modules."
  name=$(basename "$(dirname "$name")")
  mkdir -p "$work/boot"
  [ -e "$work/boot/vmlinuz-$name" ] || [ ! -e "$work/lib/modules/$name/vmlinuz" ] ||
    ln "$work/lib/modules/$name/vmlinuz" "$work/boot/vmlinuz-$name"
  [ -e "$work/boot/vmlinuz-$name" ] || die "$1 and what it depends on have modules for $name, but no vmlinuz."
  "$(find_program depmod)" -b "$work" "$name"
  echo "$name" >"$work/complete"
}

# Prints the packages of the same kernel that package file $1 depends on, as arguments of apt: with
# their version, where it is fixed. Of alternatives the first.
parts_of() {
  dpkg-deb -f "$1" Pre-Depends Depends | sed 's/^[A-Za-z-]*: //' | tr ',' '\n' |
    sed -nE 's/^ *(linux-(image|binary|modules|base)-[^ |(]+)( *\(= *([^)]+)\))?.*/\1=\4/p' | sed 's/=$//'
}

# Downloads package $1 into the folder $work/packages of the caller.
download_package() (cd "$work/packages" && apt_with_fresh_lists download "$1")

# Sets `initramfs`: busybox, the boot modules and guest/init. Its name carries what it is made from, so it is never stale.
need_initramfs() {
  local busybox sum
  busybox=$(find_program busybox)
  sum=$(cat "$testbed/guest/init" "$busybox" "$lib/kernel.sh" | sha256sum)
  initramfs=$kernel/initramfs-${sum:0:12}.cpio
  [ -s "$initramfs" ] || make_initramfs "$busybox"
}

# Not compressed: unpacking costs more than reading in an emulated machine.
make_initramfs() {
  local work module files file number=100
  # Not read from a process substitution: that hides a failure.
  files=$(boot_module_files) || die "$release lacks a module of ${boot_modules[*]}."
  work=$(mktemp -d "$cache/initramfs.XXXXXX")
  mkdir "$work/bin" "$work/modules"
  cp "$1" "$work/bin/busybox"
  cp "$testbed/guest/init" "$work/init"
  chmod 755 "$work/init" "$work/bin/busybox"
  # The numbers keep modprobe's order: dependencies first.
  while read -r file; do
    number=$((number + 1))
    module=${file%.xz}
    module=$work/modules/$number-$(basename "${module%.zst}")
    case $file in
      *.xz) xz -dc "$file" >"$module" ;;
      *.zst) "$(find_program zstd || die "the kernel's modules are compressed with zstd; as root: apt-get install zstd")" -qdc "$file" >"$module" ;;
      *) cp "$file" "$module" ;;
    esac
  done <<<"$files"
  (cd "$work" && find . | cpio -o -H newc --quiet) >"$initramfs.new"
  mv "$initramfs.new" "$initramfs"
  rm -rf "$work"
}

boot_module_files() {
  local module
  for module in "${boot_modules[@]}"; do
    "$(find_program modprobe)" -d "$kernel" -S "$release" --show-depends "$module" || die "no module $module in $release."
  done | sed -n 's/^insmod \(.*\.ko[.a-z]*\) *$/\1/p' | awk '!seen[$0]++'
}
