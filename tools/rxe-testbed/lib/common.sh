# shellcheck shell=bash
# What every host-side script of the testbed starts with: folders, messages, and the other parts. Sourced, never run.

set -euo pipefail

# Exit code of the testbed's own failures, to distinguish them from a command's (docker's convention).
readonly testbed_failed=125

lib=$(unset CDPATH && cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
testbed=$(dirname "$lib")
repository=$(cd "$testbed/../.." && pwd -P)

# Kernel and initramfs, shared by all clones: never inside the repository.
cache=${DXNET_RXE_CACHE:-${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/dxnet-rxe-testbed}

# The one VM of this clone: process id, console, jobs. The guest sees this folder, wherever it is.
state=${DXNET_RXE_STATE:-$repository/.rxe-testbed}

say() { echo "rxe-testbed: $*" >&2; }

die() {
  say "$@"
  exit "$testbed_failed"
}

# An unexpected failure is the testbed's too, not the command's.
set -E
trap 'die "unexpected failure in $(basename "${BASH_SOURCE[0]}"), line $LINENO: $BASH_COMMAND"' ERR

# Prints the usage, which is the comment at the head of the script $1 from its second line on.
usage() { sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$1"; }

refuse_inside_guest() {
  [ ! -e /run/rxe-testbed/guest ] || die "'$1' is for the host; this is already inside the testbed's VM."
}

# Fails unless $2 is a whole number from $3 to $4; $1 names it.
check_number() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] && ((10#$2 >= $3 && 10#$2 <= $4)) || die "$1 must be a whole number from $3 to $4, not '$2'."
}

. "$lib/packages.sh"
. "$lib/kernel.sh"
. "$lib/vm.sh"
. "$lib/job.sh"
. "$lib/compile.sh"
