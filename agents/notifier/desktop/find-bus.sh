# Prints the addresses of session buses on which the desktop of display $1 may be, likeliest first.

display=$1

# Whether a display's X server has its socket: a bus of the user's login serves displays that are there, not others.
is_there() {
  [ -S "/tmp/.X11-unix/X$display" ] || grep -q "@/tmp/.X11-unix/X$display\$" /proc/net/unix 2>/dev/null
}

# What dbus-launch notes for a display.
for id in /etc/machine-id /var/lib/dbus/machine-id; do
  [ -r "$id" ] || continue
  note="$HOME/.dbus/session-bus/$(cat "$id")-$display"
  [ ! -O "$note" ] || sed -n "s/^DBUS_SESSION_BUS_ADDRESS='\{0,1\}\([^']*\)'\{0,1\}\$/\1/p" "$note"
done

# What the desktop's own programs use: this user's, on that display, the oldest first. One in another mount namespace is
# of a container, whose paths are others than ours.
here=$(readlink /proc/self/ns/mnt)
grep -lzE "^DISPLAY=:$display(\.[0-9]+)?\$" /proc/[0-9]*/environ 2>/dev/null | sort -t/ -k3n | head -n 200 |
  while read -r environ; do
    process=${environ%/environ}
    [ -O "$process" ] && [ "$(readlink "$process/ns/mnt")" = "$here" ] || continue
    grep -zhE '^DBUS_SESSION_BUS_ADDRESS=' "$environ" 2>/dev/null | tr '\0' '\n' |
      sed -n '1s/^DBUS_SESSION_BUS_ADDRESS=//p'
  done

# The bus of the user's login.
login="${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/bus"
if [ -S "$login" ] && [ -O "$login" ] && is_there; then
  echo "unix:path=$login"
fi
exit 0
