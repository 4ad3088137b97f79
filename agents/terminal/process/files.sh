# Takes a file to or from where a session's shell is, as its user. Arguments: the session's process, "put" or "get", the
# file, and for "put" how many bytes it has. A code other than 0 says what is wrong.

pid=$1 way=$2 file=$3 bytes=$4

# For another user, the shell is the child of su. (No newline ends the list of children, so read reports the end.)
if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = su ]; then
  child=
  read -r child _ <"/proc/$pid/task/$pid/children"
  pid=$child
fi
cd "/proc/$pid/cwd" 2>/dev/null || exit 20

case $way in
put)
  # Never over a file that is there.
  set -C
  [ ! -e "$file" ] || exit 21
  cat >"./$file" || exit 22
  # Whoever sends may have gone away in the middle.
  [ "$(stat -c %s "./$file")" = "$bytes" ] || {
    rm -f "./$file"
    exit 23
  }
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
