# Looks at a path of a container or changes it, as its root and from within it, so that no link leads out. Arguments: "look", "list", "get",
# "remove", "mkdir" or "move", the path (which begins with /, with all but plain letters as \0ooo: names are bytes, and arguments are text),
# then for "get" the first byte, counted from 1, and how many; for "remove" whether with all that is in it, "true" or "false"; for "move" the
# new path. Code 29 and a mount: it is in the way. The other codes of refusals are those of the terminal's files.sh.

LC_ALL=C
export LC_ALL
# The letter at the end keeps line ends before it.
path=$(printf '%b.' "$2")
path=${path%.}
is_there() {
  [ -e "$1" ] || [ -L "$1" ]
}
# A new name, in a folder that is there.
assert_free() {
  ! is_there "$1" || exit 21
  [ -d "${1%/*}/" ] || exit 26
}
# Refuses a file or folder with a mount in it or at it, such as a storage share, and says the mount as the kernel writes it: with special
# letters as \ooo. Without the list of mounts nothing is changed.
assert_no_mount() {
  real=$(cd -P -- "${1%/*}/" 2>/dev/null && printf '%s.' "$PWD") || exit 22
  real=${real%.}
  real=${real%/}/${1##*/}
  [ -r /proc/self/mountinfo ] || exit 22
  while read -r _ _ _ _ written _; do
    # One 0 more for printf, which takes \0ooo.
    rest=$written escaped=
    while [ "$rest" != "${rest#*\\}" ]; do
      escaped=$escaped${rest%%\\*}\\0
      rest=${rest#*\\}
    done
    mount=$(printf '%b.' "$escaped$rest")
    case ${mount%.}/ in
    "$real"/*)
      printf '%s\n' "$written"
      exit 29
      ;;
    esac
  done </proc/self/mountinfo
}
case $1 in
look)
  if [ -d "$path" ]; then
    echo folder
  elif [ -f "$path" ] && [ -r "$path" ]; then
    echo "file $(stat -L -c '%s %Y' -- "$path")"
  else
    exit 24
  fi
  ;;
list)
  # Kind, kind of what a link leads to, size, time, name.
  if find / -maxdepth 0 -printf '' 2>/dev/null; then
    exec find -H "$path" -mindepth 1 -maxdepth 1 -printf '%y\t%Y\t%s\t%Ts\t%f\0' 2>/dev/null
  fi
  # BusyBox's find has no -printf. Names with line ends are left out, since stat ends each entry with one.
  find -H "$path" -mindepth 1 -maxdepth 1 ! -name '*
*' -exec stat -c '%F/%s/%Y/%n' {} + 2>/dev/null |
    while IFS= read -r entry; do
      kind=${entry%%/*}
      rest=${entry#*/}
      size=${rest%%/*}
      rest=${rest#*/}
      name=${rest#*/}
      case $kind in
      directory) letter=d ;;
      'symbolic link') letter=l ;;
      regular*) letter=f ;;
      *) letter=p ;;
      esac
      target=$letter
      if [ "$letter" = l ]; then
        if [ -d "$name" ]; then target=d; elif [ -f "$name" ]; then target=f; else target=N; fi
      fi
      printf '%s\t%s\t%s\t%s\t%s\0' "$letter" "$target" "$size" "${rest%%/*}" "${name##*/}"
    done
  ;;
get)
  [ -f "$path" ] || exit 24
  tail -c "+$3" -- "$path" | head -c "$4"
  ;;
remove)
  is_there "$path" || exit 24
  assert_no_mount "$path"
  if [ -L "$path" ] || [ ! -d "$path" ]; then
    rm -f -- "$path" 2>/dev/null
  elif [ "$3" = true ]; then
    rm -rf -- "$path" 2>/dev/null
  elif ! rmdir -- "$path" 2>/dev/null; then
    [ -z "$(ls -A -- "$path")" ] || exit 27
  fi
  ! is_there "$path" || exit 22
  ;;
mkdir)
  assert_free "$path"
  mkdir -- "$path" 2>/dev/null || exit 22
  ;;
move)
  target=$(printf '%b.' "$3")
  target=${target%.}
  is_there "$path" || exit 24
  assert_free "$target"
  assert_no_mount "$path"
  mv -nT -- "$path" "$target" 2>/dev/null || exit 22
  # Another one may have got the name meanwhile.
  ! is_there "$path" || exit 21
  ;;
esac
