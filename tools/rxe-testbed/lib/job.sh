# shellcheck shell=bash
# Runs a command in the VM: a folder $state/jobs/ID with `command`, the guest fills `out` and `err` and last `code`.
# Sourced by common.sh.

# The host's environment stays on the host, but for these: a job is a file, and an environment may hold secrets.
passed_variables=(PATH HOME USER LOGNAME SHELL LANG LC_ALL TERM TZ CI JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS MAVEN_OPTS MAVEN_ARGS)

# Prints the command "$@" as a script that runs it with its words unchanged in this folder and with this environment.
job_script() {
  local name
  printf 'cd %q || exit\n' "$PWD"
  for name in "${passed_variables[@]}" "${!DXNET_@}"; do
    [ -z "${!name+set}" ] || printf 'export %s=%q\n' "$name" "${!name}"
  done
  printf 'exec'
  printf ' %q' "$@"
  printf '\n'
}

# Runs "$@" in the VM that find_vm found; sets `code`. Its output becomes this script's.
run_job() {
  local id
  id=$(date +%s%N)-$$
  job=$state/jobs/$id
  cancelled=
  mkdir "$state/jobs/new-$id" 2>/dev/null || die "the VM has ended."
  job_script "$@" >"$state/jobs/new-$id/command"
  echo "$$ $(process_start $$)" >"$state/jobs/new-$id/client"
  : >"$state/jobs/new-$id/out"
  : >"$state/jobs/new-$id/err"
  trap 'cancel_job 130' INT
  trap 'cancel_job 143' TERM
  trap 'cancel_job 129' HUP
  # The guest runs what has no "new" in its name: only whole folders.
  mv "$state/jobs/new-$id" "$job"
  follow_job
  trap - INT TERM HUP
  # A job that did not end stays, marked as cancelled, for as long as its VM.
  if [ -e "$job/code" ] || ! vm_lives; then rm -rf "$job"; fi
}

cancel_job() {
  [ -n "$cancelled" ] || say "stopping the command"
  cancelled=$1
  : 2>/dev/null >"$job/cancel" || true
}

# Sets `code` when the job is over, after its last output.
follow_job() {
  local watcher out err
  watch_job &
  watcher=$!
  # tail reads to the end once more after the watcher has ended, so nothing is lost.
  follow_file "$job/out" &
  out=$!
  follow_file "$job/err" >&2 &
  err=$!
  # A signal ends a wait early, but not the job: that ends when the guest reports its end or is found
  # dead.
  while kill -0 "$watcher" 2>/dev/null; do
    if kill -0 "$out" 2>/dev/null; then
      wait -n "$watcher" "$out" || true
    else
      # The reader of the output has ended (`run … | head`): the rest is not needed.
      [ -e "$job/code" ] || [ -n "$cancelled" ] || cancel_job 141
      wait "$watcher" || true
    fi
  done
  wait "$out" "$err" || true
  if [ -n "$cancelled" ]; then
    code=$cancelled
  elif ! { read -r code <"$job/code"; } 2>/dev/null; then
    code=$testbed_failed
    say "$(why_no_code)"
  fi
}

# Ctrl-C and timeout(1) signal the whole process group, but a job's last words are still to be heard.
ignore_signals() { trap '' INT TERM HUP; }

follow_file() {
  ignore_signals
  exec tail -q -c +1 -f -s 0.1 --pid="$watcher" "$1"
}

# Ends when the job is over, when the VM is dead or silent, or when a cancelled job does not end.
watch_job() {
  ignore_signals
  local beat='' last_beat='' last_change=$SECONDS cancelled_at=
  until [ -s "$job/code" ] || ! vm_lives; do
    { read -r beat <"$state/beat"; } 2>/dev/null || true
    [ "$beat" = "$last_beat" ] || { last_beat=$beat last_change=$SECONDS; }
    ((SECONDS - last_change < silence_limit)) || return 0
    if [ -e "$job/cancel" ]; then
      : "${cancelled_at:=$SECONDS}"
      ((SECONDS - cancelled_at < 20)) || return 0
    fi
    sleep 0.1
  done
}

# find_vm without its fork per call: this runs ten times per second.
vm_lives() {
  local stat
  { read -r stat <"/proc/$vm_pid/stat"; } 2>/dev/null || return 1
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  [ "$1" != Z ] && [ "${20}" = "$vm_start" ]
}

why_no_code() {
  if vm_lives; then
    echo "the guest has not answered for $silence_limit s; 'down' ends it"
  elif [ -s "$state/farewell" ]; then
    echo "the VM stopped before the command ended: $(<"$state/farewell")"
  else
    echo "the VM died before the command ended; $state/console.log ends with:"
    tail -n 5 "$state/console.log" 2>/dev/null || true
  fi
}

# Cancels the jobs whose client was killed. Every command that uses the VM calls it.
cancel_orphans() {
  local folder pid start
  for folder in "$state"/jobs/[0-9]*/; do
    { read -r pid start <"$folder/client"; } 2>/dev/null || continue
    if [ "$(process_start "$pid")" != "$start" ]; then
      if [ -e "$folder/code" ]; then rm -rf "$folder"; else : >"$folder/cancel"; fi
    fi
  done
}
