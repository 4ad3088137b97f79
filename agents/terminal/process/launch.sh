# Starts a session's shell, as its user and on its terminal. Text of a request never becomes text of this script: it
# comes as arguments, which everybody on the machine can read, and where it may be secret as variables: the working
# directory, the startup script, and BERTH_LAUNCH_<n>, each of which is one NAME=value of the session's environment.
#
# No variable of a session can change what this script does: a process gets them just before it becomes a program of
# the session, and from then on this script reads nothing but positional parameters.
#
# Arguments: desktop programs, greeting, "debug" or "", then the shell's command.

berth_cwd=$BERTH_LAUNCH_CWD berth_script=$BERTH_LAUNCH_SCRIPT berth_desktops=$1 berth_greeting=$2 berth_debug=$3
shift 3

# For eval: what to unset, and the list of all NAME=value.
berth_carriers="BERTH_LAUNCH_CWD BERTH_LAUNCH_SCRIPT BERTH_LAUNCH_COUNT" berth_entries="" berth_names="" berth_n=0
while [ "$berth_n" -lt "${BERTH_LAUNCH_COUNT:-0}" ]; do
  berth_carriers="$berth_carriers BERTH_LAUNCH_$berth_n"
  berth_entries="$berth_entries \"\$BERTH_LAUNCH_$berth_n\""
  eval "berth_entry=\$BERTH_LAUNCH_$berth_n"
  berth_names="$berth_names ${berth_entry%%=*}"
  berth_n=$((berth_n + 1))
done

# Becomes a program with the session's variables.
become() {
  eval "set -- $berth_entries -- \"\$@\"; unset $berth_carriers"
  while [ "$1" != -- ]; do
    command export "$1"
    shift
  done
  shift
  exec "$@"
}
note() {
  printf '\033[2mberth: %s\033[0m\n' "$*"
}
explain() {
  [ -z "$berth_debug" ] || note "$*"
}
# The same rule as in check.sh.
absolute() {
  case $1 in
  "~") printf %s "$HOME" ;;
  "~/"*) printf %s "$HOME/${1#??}" ;;
  /*) printf %s "$1" ;;
  *) printf %s "$HOME/$1" ;;
  esac
}

explain "user $(id -un), terminal $(tty), environment:$berth_names"
cd
[ -z "$berth_cwd" ] || cd -- "$(absolute "$berth_cwd")" || note "stays in $(pwd)"
explain "directory $(pwd)"

# Split at blanks on purpose: names of programs, of which the first that is installed is the desktop.
for berth_program in $berth_desktops; do
  berth_program=$(command -v "$berth_program") || continue
  explain "desktop $berth_program"
  # In a process group of its own: ^C in the shell is not meant for it, and what runs in it may have its own ^C.
  set -m
  (become "$berth_program") </dev/null >/dev/null 2>&1 &
  set +m
  # The desktop belongs to this session, and ends with its shell. (Some do not end when they are hung up on.)
  sh -c 'trap "" HUP; while kill -0 "$1"; do sleep 2; done; kill -TERM "-$2"; sleep 5; kill -KILL "-$2"' desktop $$ $! </dev/null >/dev/null 2>&1 &
  break
done

[ -z "$berth_greeting" ] || printf '%s\n' "$berth_greeting"

if [ -n "$berth_script" ]; then
  berth_script=$(absolute "$berth_script")
  explain "startup script $berth_script"
  berth_reader=/bin/sh
  [ -x "$berth_reader" ] || berth_reader=/.berth/bin/sh
  [ ! -x "$berth_script" ] || berth_reader=
  # Unquoted on purpose: a script that can be executed has no reader.
  (become $berth_reader "$berth_script") || note "the startup script ended with status $?"
fi

explain "command $*"
become "$@"
