# shellcheck shell=bash
# Finds which Debian packages are missing, and installs them with apt where this user may. Sourced by common.sh.

# Prints the path of program $1; searches also the system folders, which a normal user's PATH may lack.
find_program() { PATH=$PATH:/usr/sbin:/sbin type -P "$1"; }

has_file() { compgen -G "$1" >/dev/null; }

# Prints the packages that this machine lacks, one per line. Tests for what is used, not for the package's name, so that
# the same programs from elsewhere count too.
missing_packages() {
  find_program qemu-system-x86_64 >/dev/null || echo qemu-system-x86
  is_static_busybox || echo busybox-static
  find_program depmod >/dev/null || echo kmod
  find_program cpio >/dev/null || echo cpio
  find_program xz >/dev/null || echo xz-utils
  { find_program ip && find_program tc && find_program rdma; } >/dev/null || echo iproute2
  has_file '/usr/lib/*/libibverbs/librxe-rdmav*.so' || echo ibverbs-providers
  { find_program ibv_devinfo && find_program ibv_rc_pingpong; } >/dev/null || echo ibverbs-utils
  find_program ib_send_lat >/dev/null || echo perftest
  find_program flock >/dev/null || echo util-linux
}

# The initramfs holds no libraries, so its busybox must need none.
is_static_busybox() {
  local busybox
  busybox=$(find_program busybox) || return 1
  ! LC_ALL=C ldd "$busybox" >/dev/null 2>&1
}

# apt-get without questions, with a limit on every wait.
apt() {
  DEBIAN_FRONTEND=noninteractive timeout -k 10 600 apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 \
    -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# A new container has no package lists, an old one has stale ones: both show as a failed first try.
apt_with_fresh_lists() {
  apt "$@" >"$cache/apt.log" 2>&1 && return
  say "apt: refreshing the package lists"
  apt update >>"$cache/apt.log" 2>&1 || say "apt: refreshing failed, trying with the lists there are"
  apt "$@" >>"$cache/apt.log" 2>&1 && return
  tail -n 15 "$cache/apt.log" >&2
  return 1
}

need_packages() {
  local -a missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  local install="apt-get install --no-install-recommends ${missing[*]}"
  ((EUID == 0)) || die "missing packages; as root: $install"
  find_program apt-get >/dev/null || die "missing, and this is no Debian to install them on: ${missing[*]}"
  say "installing: ${missing[*]}"
  apt_with_fresh_lists install -y --no-install-recommends "${missing[@]}" || die "could not install; by hand: $install"
}
