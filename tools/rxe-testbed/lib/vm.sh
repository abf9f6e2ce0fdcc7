# shellcheck shell=bash
# Starts, finds and stops the VM of this clone. Sourced by common.sh.
#
# A VM is a process "keeper" (timeout, the overall limit) with QEMU below it. QEMU dies with its keeper, whatever kills
# that, so the keeper's process id is all there is to remember.

# Seconds. Generous: an emulated machine on a busy host.
readonly boot_limit=${DXNET_RXE_BOOT_LIMIT:-180} silence_limit=${DXNET_RXE_SILENCE_LIMIT:-180} stop_limit=10

# What the user may choose; the scripts' options overwrite these.
nodes=2
cpus=
memory_mb=
time_limit=${DXNET_RXE_TIME_LIMIT:-3600}

# Prints when process $1 started (ticks since boot), nothing when there is no such process or it is a zombie.
process_start() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  # The name in brackets may hold anything, so count from behind it: field 3, the state, comes first.
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  [ "$1" = Z ] || echo "${20}"
}

# Reads the record of the last VM into vm_*; fails when that VM no longer runs. Process ids are used again, so the start
# time has to match as well.
find_vm() {
  vm_pid=
  { read -r vm_pid vm_start vm_nodes vm_mode vm_kernel <"$state/vm"; } 2>/dev/null || return 1
  [ "$(process_start "$vm_pid")" = "$vm_start" ]
}

# The state folder changes under this lock. Not kept by children: a lock that QEMU inherits is never released.
lock_state() {
  mkdir -p "$state"
  exec {state_lock}>"$state/lock"
  flock -w 300 "$state_lock" || die "another rxe-testbed command has held $state/lock for 5 minutes."
}

unlock_state() { exec {state_lock}>&-; }

# Installs, downloads and makes what a VM is made of, or dies with the reason.
need_everything() {
  [ "$(uname -m)" = x86_64 ] || die "the testbed's kernel is for x86_64, this machine is $(uname -m)."
  (umask 077 && mkdir -p "$cache")
  exec {cache_lock}>"$cache/lock"
  flock -w 900 "$cache_lock" || die "another rxe-testbed command has held $cache/lock for 15 minutes."
  clear_cache_remains
  need_packages
  need_kernel
  need_initramfs
  exec {cache_lock}>&-
}

# Boots a VM. $1: `kept` lives until `down`; `once` dies with this process.
start_vm() {
  local begin=$EPOCHREALTIME
  check_number --nodes "$nodes" 1 32
  check_number --time-limit "$time_limit" 10 86400
  choose_size
  need_everything
  find "$state" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +
  chmod 700 "$state"
  mkdir "$state/jobs"
  write_boot_settings >"$state/boot"
  launch "$1"
  await_ready
  say "$kernel_text, $nodes node(s) rxe1..rxe$nodes, $cpus CPU(s), $memory_mb MB, ready after $(seconds_since "$begin") s"
}

seconds_since() {
  local us=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
  printf '%d.%d' $((us / 1000000)) $((us / 100000 % 10))
}

# By default at most 4 CPUs and 4 GB, and never more than this machine has to spare.
choose_size() {
  local processors available_mb
  processors=$(nproc)
  available_mb=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
  : "${cpus:=$((processors < 4 ? processors : 4))}"
  : "${memory_mb:=$((available_mb * 6 / 10 < 4096 ? available_mb * 6 / 10 : 4096))}"
  check_number --cpus "$cpus" 1 32
  check_number --memory "$memory_mb" 512 1000000
}

# For guest/init and guest/agent, as shell assignments: a kernel command line cannot hold every path.
write_boot_settings() {
  printf '%s=%q\n' release "$release" kernel "$kernel" repository "$repository" guest "$testbed/guest" \
    nodes "$nodes" time_limit "$time_limit"
}

launch() {
  local -a keeper=(setsid)
  # A VM for one command must not outlive that command's process, not even when that is killed.
  [ "$1" = kept ] || keeper+=(setpriv --pdeathsig KILL)
  # The guest powers itself off at the limit; the keeper is for a guest that no longer can.
  keeper+=(timeout -k 5 $((time_limit + 30)) setpriv --pdeathsig KILL)
  : >"$state/console.log"
  # tsc=reliable: QEMU's is the host's, the same on all processors. The kernel would use the HPET,
  # whose every reading leaves the emulation and costs a program 3 us.
  "${keeper[@]}" "$(find_program qemu-system-x86_64)" \
    -nodefaults -no-user-config -no-reboot -display none -machine q35 -accel "${DXNET_RXE_ACCEL:-tcg,thread=multi}" -cpu max \
    -smp "$cpus" -m "$memory_mb" -name dxnet-rxe-testbed \
    -chardev "file,id=console,path=$(option_text "$state/console.log")" -serial chardev:console \
    -device virtio-rng-pci \
    -fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap" -device virtio-9p-pci,fsdev=root,mount_tag=root \
    -fsdev "local,id=repository,path=$(option_text "$repository"),security_model=none,multidevs=remap" \
    -device virtio-9p-pci,fsdev=repository,mount_tag=repository \
    -fsdev "local,id=state,path=$(option_text "$state"),security_model=none,multidevs=remap" \
    -device virtio-9p-pci,fsdev=state,mount_tag=state \
    -kernel "$kernel/boot/vmlinuz-$release" -initrd "$initramfs" \
    -append "console=ttyS0 quiet loglevel=4 panic=-1 no_timer_check nowatchdog mitigations=off random.trust_cpu=on tsc=reliable" \
    </dev/null >"$state/qemu.log" 2>&1 {state_lock}>&- &
  vm_pid=$!
  disown "$vm_pid"
  vm_start=$(process_start "$vm_pid")
  echo "$vm_pid $vm_start $nodes $1 $kernel_text" >"$state/vm"
}

# QEMU reads a comma in an option as the end of a value.
option_text() { echo "${1//,/,,}"; }

await_ready() {
  local deadline=$((SECONDS + boot_limit))
  until [ -s "$state/ready" ]; do
    [ "$(process_start "$vm_pid")" = "$vm_start" ] || boot_failed "the VM died while booting"
    ((SECONDS < deadline)) || boot_failed "the VM was not ready after $boot_limit s"
    sleep 0.1
  done
}

boot_failed() {
  say "$1; its last words:"
  cat "$state/farewell" "$state/qemu.log" "$state/console.log" 2>/dev/null | tail -n 30 >&2
  stop_vm
  exit "$testbed_failed"
}

# Asks the guest to stop, then kills it. Always leaves no VM and no record of one.
stop_vm() {
  local deadline=$((SECONDS + stop_limit))
  if find_vm; then
    # Only a guest that got as far as reading jobs can obey.
    [ ! -s "$state/ready" ] || : >"$state/stop"
    while [ -e "$state/stop" ] && find_vm && ((SECONDS < deadline)); do sleep 0.1; done
    ! find_vm || kill_vm
  fi
  rm -rf "$state/vm" "$state/ready" "$state/stop" "$state/jobs"
}

kill_vm() {
  kill -KILL "$vm_pid" 2>/dev/null || return 0
  # QEMU gets its signal when the kernel has buried the keeper.
  while find_vm; do sleep 0.1; done
  sleep 0.2
}
