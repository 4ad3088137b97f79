# Starts a session's shell, as its user and on its terminal. Text of a request never becomes text of this script: it
# comes as arguments, which everybody on the machine can read, and where it may be secret as variables: the working
# directory, the startup script, and BERTH_LAUNCH_<n>, each of which is one NAME=value for the environment.
#
# Arguments: desktop programs, greeting, "debug" or "", then the shell's command.

berth_cwd=$BERTH_LAUNCH_CWD berth_script=$BERTH_LAUNCH_SCRIPT berth_desktops=$1 berth_greeting=$2 berth_debug=$3
unset BERTH_LAUNCH_CWD BERTH_LAUNCH_SCRIPT
shift 3

berth_n=0
while [ "$berth_n" -lt "${BERTH_LAUNCH_COUNT:-0}" ]; do
  eval "berth_entry=\$BERTH_LAUNCH_$berth_n"
  unset "BERTH_LAUNCH_$berth_n"
  command export "$berth_entry"
  berth_names="$berth_names ${berth_entry%%=*}"
  berth_n=$((berth_n + 1))
done
unset BERTH_LAUNCH_COUNT berth_n berth_entry

note() {
  printf '\033[2mberth: %s\033[0m\n' "$*"
}
explain() {
  [ -z "$berth_debug" ] || note "$*"
}

explain "user $(id -un), terminal $(tty), environment:$berth_names"
unset berth_names
cd
case $berth_cwd in
"") ;;
"~") cd ;;
"~/"*) cd -- "$HOME/${berth_cwd#??}" || note "stays in $(pwd)" ;;
*) cd -- "$berth_cwd" || note "stays in $(pwd)" ;;
esac
explain "directory $(pwd)"

# Split at blanks on purpose: names of programs, of which the first that is installed is the desktop.
for berth_program in $berth_desktops; do
  command -v "$berth_program" >/dev/null || continue
  if [ -z "$DISPLAY" ]; then
    note "no desktop without a display: add display=N"
    break
  fi
  explain "desktop $berth_program on $DISPLAY"
  # In a process group of its own: ^C in the shell is not meant for it, and what runs in it may have its own ^C.
  set -m
  "$berth_program" </dev/null >/dev/null 2>&1 &
  berth_desktop=$!
  set +m
  # The desktop belongs to this session, and ends with its shell. (Some do not end when they are hung up on.)
  sh -c 'trap "" HUP; while kill -0 "$1"; do sleep 2; done; kill -TERM "-$2"; sleep 5; kill -KILL "-$2"' desktop $$ "$berth_desktop" </dev/null >/dev/null 2>&1 &
  unset berth_desktop
  break
done

[ -z "$berth_greeting" ] || printf '%s\n' "$berth_greeting"

if [ -n "$berth_script" ]; then
  case $berth_script in
  "~/"*) berth_script=$HOME/${berth_script#??} ;;
  esac
  explain "startup script $berth_script"
  if [ -x "$berth_script" ]; then "$berth_script"; else sh "$berth_script"; fi || note "the startup script ended with status $?"
fi

explain "command $*"
exec "$@"
