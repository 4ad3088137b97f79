# Says, as a session's user, whether the session can be started. Arguments: shell or "", "create" or "", desktop programs or "".
# As variables, since arguments can be read by everybody: BERTH_LAUNCH_CWD, BERTH_LAUNCH_SCRIPT. Prints the shell's path, and that of
# the user's own shell. A code other than 0 says what is wrong.

shell=$1 create=$2 desktop=$3 cwd=$BERTH_LAUNCH_CWD script=$BERTH_LAUNCH_SCRIPT

home() {
  case $1 in
  "~") printf %s "$HOME" ;;
  "~/"*) printf %s "$HOME/${1#??}" ;;
  /*) printf %s "$1" ;;
  *) printf %s "$HOME/$1" ;;
  esac
}

# By the user's number, for the environment may be that of whoever started the service, or of a switch of user.
uid=$(id -u)
own=$SHELL
while IFS=: read -r _ _ number _ _ _ program; do
  if [ "$number" = "$uid" ]; then
    own=$program
    break
  fi
done 2>/dev/null </etc/passwd
# An account that nobody is meant to sign in to can still have a terminal.
case $own in
"" | */nologin | */false) own=/bin/sh ;;
esac
# An image without a shell has the static one of the container's helpers.
[ -x "$own" ] || own=/.berth/bin/sh
[ -n "$shell" ] || shell=$own
path=$(command -v -- "$shell") || exit 10
case $path in
/*) ;;
# The static shell names its own programs without a folder.
*) path=/.berth/bin/$path ;;
esac
[ -f "$path" ] && [ -x "$path" ] || exit 10

if [ -n "$cwd" ]; then
  cwd=$(home "$cwd")
  if [ -e "$cwd" ] && [ ! -d "$cwd" ]; then exit 16; fi
  if [ -n "$create" ]; then mkdir -p -- "$cwd" 2>/dev/null || exit 12; fi
  [ -d "$cwd" ] || exit 11
  cd -- "$cwd" 2>/dev/null || exit 13
fi
if [ -n "$script" ]; then
  script=$(home "$script")
  { [ -f "$script" ] && [ -r "$script" ]; } || exit 14
fi
if [ -n "$desktop" ]; then
  found=
  for program in $desktop; do
    ! command -v "$program" >/dev/null || found=yes
  done
  [ -n "$found" ] || exit 15
fi
printf '%s\n' "$path" "$own"
