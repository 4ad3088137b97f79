# Finds the VNC server of an X display where this runs, and starts the display, or its VNC server, when it is not there. Prints one line: "unix"
# and the path of a socket, or "tcp" and a port of the loopback interface. What it starts goes on without it.
#
# Ends with 20 where there is no X server to start, 21 where one has no VNC server and there is no x11vnc, 22 where somebody else has its
# folder, 23 where the display has to be protected and there is no xauth, 24 where the X server did not come up.
#
# Arguments: the display's number; what to start with it: "session" (a desktop, or at least a window manager), "windows" (a window manager), or
# "nothing"; "shared" where other people use the machine; "look" to start nothing at all: it prints "x" then when an X server is there.
display=$1 with=$2 shared=$3 look=$4
folder=/tmp/.berth-display-$display
socket=$folder/vnc

# Sockets that a process listens on: a file of that name says nothing, and one that is only bound refuses connections. Flag 00010000 is
# listening. Ours are in the name space of files or in the abstract one.
is_served() {
  while read -r _ _ _ flags _ _ _ path; do
    case $flags$path in "00010000$1" | "00010000@$1") return 0 ;; esac
  done </proc/net/unix
  return 1
}
has_x() {
  is_served "/tmp/.X11-unix/X$display"
}
# State 0A is listening; addresses are in hexadecimal, with the port at the end.
listens() {
  hex=$(printf ':%04X' "$1")
  for table in /proc/net/tcp /proc/net/tcp6; do
    while read -r _ address _ state _; do
      case $state$address in 0A*"$hex") return 0 ;; esac
    done <"$table"
  done 2>/dev/null
  return 1
}
has() {
  command -v "$1" >/dev/null
}
detached() {
  if has setsid; then setsid "$@" </dev/null >/dev/null 2>&1 & else "$@" </dev/null >/dev/null 2>&1 & fi
}
await() {
  tries=100
  until "$@"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || exit 24
    sleep 0.1
  done
}

if [ -n "$look" ]; then
  has_x && echo x
  exit 0
fi
if is_served "$socket" && { [ -z "$shared" ] || [ -O "$folder" ]; }; then
  echo "unix $socket"
  exit 0
fi
if listens $((5900 + display)); then
  echo "tcp $((5900 + display))"
  exit 0
fi
make_folder() {
  mkdir -m 700 "$folder" 2>/dev/null || { [ -d "$folder" ] && [ -O "$folder" ] && [ ! -L "$folder" ]; } || exit 22
  rm -f "$socket"
}
# Without IPv6, for which x11vnc would open a port that nobody asked for.
share_x() {
  umask 077
  detached x11vnc -display ":$display" -unixsock "$socket" -rfbport 0 -noipv6 -nopw -shared -forever -quiet
  await is_served "$socket"
}
if has_x; then
  has x11vnc || exit 21
  make_folder
  share_x
  echo "unix $socket"
  exit 0
fi

has Xvnc || { has Xvfb && has x11vnc; } || exit 20
make_folder
protect=
if [ -n "$shared" ]; then
  has xauth || exit 23
  protect=$folder/xauthority
  cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  for file in "$protect" "${XAUTHORITY:-$HOME/.Xauthority}"; do
    echo "add :$display . $cookie" | xauth -q -f "$file" source - || exit 23
  done
fi
set -- ":$display" -nolisten tcp ${protect:+-auth "$protect"}
if has Xvnc; then
  detached Xvnc "$@" -geometry 1280x800 -depth 24 -rfbport -1 -rfbunixpath "$socket" -rfbunixmode 0600 \
    -SecurityTypes None -AlwaysShared -AcceptSetDesktopSize -desktop "display :$display"
  await is_served "$socket"
  await has_x
else
  detached Xvfb "$@" -screen 0 1280x800x24
  await has_x
  share_x
fi

case $with in
session) programs="startxfce4 mate-session icewm-session openbox-session openbox icewm twm" ;;
windows) programs="openbox icewm xfwm4 marco twm" ;;
*) programs= ;;
esac
DISPLAY=:$display
export DISPLAY
cd 2>/dev/null || cd /
# Split at blanks on purpose: the first that is installed.
for program in $programs; do
  has "$program" || continue
  if [ "$with" = session ] && has dbus-run-session; then
    detached dbus-run-session -- "$program"
  else
    detached "$program"
  fi
  # These have neither a panel nor icons: an empty screen would not show how to start anything.
  case $with/$program in session/openbox* | session/twm)
    for terminal in x-terminal-emulator xterm; do
      has "$terminal" && detached "$terminal" && break
    done
    ;;
  esac
  break
done
echo "unix $socket"
