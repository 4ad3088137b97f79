# Says what a process is, a line each: its user, this one's, when it started, its session's leader, its terminal, and
# the process with its ancestors, each as number/when it started. Argument: a process id. /proc is that of the pid namespace in which this runs.

field() {
  # After the name in parentheses, which may hold anything.
  IFS= read -r stat <"/proc/$1/stat" 2>/dev/null || return 1
  set -- "$2" ${stat##*) }
  shift "$1"
  printf '%s\n' "$1"
}

uid=$(stat -c %u "/proc/$1" 2>/dev/null) || exit 1
printf '%s\n' "$uid"
id -u
field "$1" 20 || exit 1
field "$1" 4 || exit 1
readlink "/proc/$1/fd/0" 2>/dev/null || echo
chain="$1/$(field "$1" 20)" pid=$1
while [ "$pid" -gt 1 ]; do
  pid=$(field "$pid" 2) || break
  [ -n "$pid" ] || break
  chain="$chain $pid/$(field "$pid" 20)"
done
printf '%s\n' "$chain"
