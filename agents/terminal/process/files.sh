# Takes a file to or from where a session's shell is, as its user. Arguments: the session's process, or the path of a folder, "put", "drop" or "get", and the file.
# For "put" also a name to write under until the file is whole, how many bytes it has, "sha256" when its digest is asked for, or "", and
# "replace" when it may take the place of a file that is there, whose mode and owner it then gets, or "".
# A code other than 0 says what is wrong.
#
# "put" reads the bytes, says `stored <size> <digest or ->`, and reads one line: `keep`, or anything else to remove the file. After
# `keep` the file gets its name, and `kept <size>` is said.

pid=$1 way=$2 file=$3 temporary=$4 bytes=$5 digest=$6 replace=$7

case $pid in
/*) cd -- "$pid" 2>/dev/null || exit 26 ;;
*)
  # For another user, the shell is the child of su. (No newline ends the list of children, so read reports the end.)
  if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = su ]; then
    child=
    read -r child _ <"/proc/$pid/task/$pid/children"
    pid=$child
  fi
  # A session that is being started is not yet where launch.sh will take it.
  starting=$({ tr '\0' '\n' <"/proc/$pid/environ" | sed -n 's/^BERTH_LAUNCH_CWD=/=/p'; } 2>/dev/null)
  case $starting in
  "") cd "/proc/$pid/cwd" 2>/dev/null || exit 20 ;;
  *)
    cd 2>/dev/null
    case ${starting#=} in
    "" | "~") ;;
    "~/"*) cd -- "$HOME/${starting#=??}" 2>/dev/null ;;
    # Within the home, where it is a relative path.
    *) cd -- "${starting#=}" 2>/dev/null ;;
    esac
    ;;
  esac
  ;;
esac

is_there() {
  [ -e "./$1" ] || [ -L "./$1" ]
}
give_up() {
  rm -f "./$temporary"
  exit "$1"
}

case $way in
put)
  if [ -n "$replace" ]; then
    [ ! -d "./$file" ] || [ -L "./$file" ] || exit 28
  else
    # Never over a file that is there.
    ! is_there "$file" || exit 21
  fi
  set -C
  # Not by `:`, whose failed redirection ends the shell with a code of its own.
  true >"./$temporary" || exit 22
  head -c "$bytes" >>"./$temporary" || give_up 22
  size=$(stat -c %s "./$temporary") || give_up 22
  # Whoever sends may have gone away in the middle.
  [ "$size" = "$bytes" ] || give_up 23
  sum=-
  if [ -n "$digest" ]; then
    sum=$(sha256sum <"./$temporary") || give_up 22
  fi
  printf 'stored %s %s\n' "$size" "${sum%% *}"
  verdict=
  read -r verdict || give_up 23
  [ "$verdict" = keep ] || give_up 23
  if [ -n "$replace" ]; then
    if [ -f "./$file" ] && [ ! -L "./$file" ]; then
      chown "$(stat -c %u:%g "./$file")" "./$temporary" 2>/dev/null
      chmod "$(stat -c %a "./$file")" "./$temporary" || give_up 22
    fi
    mv -fT "./$temporary" "./$file" 2>/dev/null || give_up 22
  # A link fails where there is a file by now. Some file systems have no links.
  elif ln -T "./$temporary" "./$file" 2>/dev/null; then
    rm -f "./$temporary"
  else
    ! is_there "$file" || give_up 21
    mv -nT "./$temporary" "./$file" 2>/dev/null || give_up 22
    ! is_there "$temporary" || give_up 21
  fi
  printf 'kept %s\n' "$(stat -c %s "./$file")"
  ;;
drop)
  rm -f "./$file"
  ! is_there "$file" || exit 22
  ;;
get)
  case $file in
  "~/"*) file=$HOME/${file#??} ;;
  esac
  [ -f "$file" ] && [ -r "$file" ] || exit 24
  # Opened once: another file of that name may take its place at any time.
  exec <"$file"
  size=$(stat -L -c %s /proc/self/fd/0) || exit 24
  # The size first, then as much of the file; one that grows meanwhile would perhaps never end.
  printf '%s\n' "$size"
  # What the kernel makes up when it is read has no size.
  [ "$size" != 0 ] || exec cat
  head -c "$size" || exit 25
  # Shorter than it says it is, and no other than it was: sysfs says so of every file. Otherwise it was cut meanwhile.
  [ "$(stat -L -c %s /proc/self/fd/0)" -ge "$size" ] || exit 25
  ;;
esac
