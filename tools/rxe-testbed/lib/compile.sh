# shellcheck shell=bash
# Compiles check.c with this machine's gcc, where there is one. Sourced by common.sh.

readonly skipped=77

# Sets `check_program`, or ends the script as skipped.
need_check_program() {
  local source=$testbed/check.c sum
  find_program gcc >/dev/null || skip "no gcc on this machine"
  if ! has_infiniband_header; then
    ((EUID == 0)) || skip "no infiniband/verbs.h; as root: apt-get install libibverbs-dev"
    say "installing: libibverbs-dev"
    mkdir -p "$cache"
    apt_with_fresh_lists install -y --no-install-recommends libibverbs-dev || skip "libibverbs-dev could not be installed"
  fi
  sum=$(sha256sum <"$source")
  check_program=$cache/check-${sum:0:12}
  [ ! -x "$check_program" ] || return 0
  mkdir -p "$cache"
  gcc -std=gnu17 -O2 -Wall -Wextra -Wno-missing-field-initializers -o "$check_program.$$" "$source" -libverbs || die "check.c does not compile."
  mv "$check_program.$$" "$check_program"
}

has_infiniband_header() { gcc -E -x c -include infiniband/verbs.h -o /dev/null /dev/null 2>/dev/null; }

skip() {
  say "check SKIPPED: $*"
  exit "$skipped"
}
