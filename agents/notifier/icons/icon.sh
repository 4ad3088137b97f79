# Icons of notices on the desktop's machine, as the desktop's user.
#
#   read PATH MAX      the first MAX bytes of a file
#   find NAME MAX      those of the icon with that name, of the theme that everything falls back to first
#   keep NAME COUNT    puts what comes on stdin where the desktop can read it, and says where; keeps the newest COUNT

set -u
case $1 in
read)
  # A pipe or a device has no end.
  [ -f "$2" ] && exec head -c "$3" -- "$2"
  exit 1
  ;;
find)
  for folder in "$HOME/.local/share/icons" /usr/local/share/icons /usr/share/icons; do
    for theme in hicolor Adwaita '*'; do
      for size in 64x64 48x48 128x128 256x256 scalable 32x32; do
        # Unquoted on purpose: these are patterns. A name has no character that is one.
        for file in "$folder"/$theme/$size/*/"$2".png "$folder"/$theme/$size/*/"$2".svg; do
          [ -f "$file" ] && exec head -c "$3" -- "$file"
        done
      done
    done
  done
  for file in "/usr/share/pixmaps/$2.png" "/usr/share/pixmaps/$2.svg"; do
    [ -f "$file" ] && exec head -c "$3" -- "$file"
  done
  exit 1
  ;;
keep)
  umask 077
  folder=${XDG_RUNTIME_DIR:-/tmp}/berth-notifier-$(id -u)
  mkdir -p -- "$folder" || exit 1
  # In /tmp somebody else could have made it first.
  [ -O "$folder" ] && [ ! -L "$folder" ] || exit 1
  cat >"$folder/new-$$" && mv -- "$folder/new-$$" "$folder/$2" || exit 1
  ls -t -- "$folder" | tail -n "+$(($3 + 1))" | while read -r old; do rm -f -- "$folder/$old"; done
  printf '%s' "$folder/$2"
  ;;
esac
