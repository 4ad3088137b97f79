# Starts a session's shell, as its user and on its terminal. Text of a request never becomes text of this script: it
# comes as arguments, and as BERTH_LAUNCH_<n>, each of which is one NAME=value for the environment.
#
# Arguments: working directory, startup script, desktop programs, greeting, "debug" or "", then the shell's command.

berth_n=0
while [ "$berth_n" -lt "${BERTH_LAUNCH_COUNT:-0}" ]; do
  eval "berth_entry=\$BERTH_LAUNCH_$berth_n"
  unset "BERTH_LAUNCH_$berth_n"
  command export "$berth_entry"
  berth_names="$berth_names ${berth_entry%%=*}"
  berth_n=$((berth_n + 1))
done
unset BERTH_LAUNCH_COUNT berth_n berth_entry

cwd=$1 script=$2 desktop=$3 greeting=$4 debug=$5
shift 5

note() {
  printf '\033[2mberth: %s\033[0m\n' "$*"
}
explain() {
  [ -z "$debug" ] || note "$*"
}

explain "user $(id -un), terminal $(tty), environment:$berth_names"
unset berth_names
cd
case $cwd in
"") ;;
"~") cd ;;
"~/"*) cd -- "$HOME/${cwd#??}" || note "stays in $(pwd)" ;;
*) cd -- "$cwd" || note "stays in $(pwd)" ;;
esac
explain "directory $(pwd)"

# Split at blanks on purpose: names of programs, of which the first that is installed is the desktop.
for program in $desktop; do
  command -v "$program" >/dev/null || continue
  if [ -z "$DISPLAY" ]; then
    note "no desktop without a display: add display=N"
    break
  fi
  explain "desktop $program on $DISPLAY"
  # In a process group of its own: ^C in the shell is not meant for it, and what runs in it may have its own ^C.
  set -m
  "$program" </dev/null >/dev/null 2>&1 &
  berth_desktop=$!
  set +m
  # The desktop belongs to this session, and ends with its shell. (Some do not end when they are hung up on.)
  sh -c 'trap "" HUP; while kill -0 "$1"; do sleep 2; done; kill -TERM "-$2"; sleep 5; kill -KILL "-$2"' desktop $$ "$berth_desktop" </dev/null >/dev/null 2>&1 &
  unset berth_desktop
  break
done

[ -z "$greeting" ] || printf '%s\n' "$greeting"

if [ -n "$script" ]; then
  case $script in
  "~/"*) script=$HOME/${script#??} ;;
  esac
  explain "startup script $script"
  if [ -x "$script" ]; then "$script"; else sh "$script"; fi || note "the startup script ended with status $?"
fi

explain "command $*"
exec "$@"
