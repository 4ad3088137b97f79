# Looks at a path of a container, as its root and from within it, so that no link leads out. Arguments: "look", "list" or "get", the path
# (which begins with /, with all but plain letters as \0ooo: names are bytes, and arguments are text), then for "get" the first byte, counted
# from 1, and how many.

LC_ALL=C
export LC_ALL
# The letter at the end keeps line ends before it.
path=$(printf '%b.' "$2")
path=${path%.}
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
  exec find -H "$path" -mindepth 1 -maxdepth 1 -printf '%y\t%Y\t%s\t%Ts\t%f\0' 2>/dev/null
  ;;
get)
  [ -f "$path" ] || exit 24
  tail -c "+$3" -- "$path" | head -c "$4"
  ;;
esac
