# Connects to a server where this runs, and passes bytes between it and stdin and stdout. Writes "+" when it is connected.
# Ends with 3 when nobody listens, and with 4 where there is no program to connect with.
#
# Arguments: "tcp" and a port of the loopback interface, or "unix" and the path of a socket; then for how many tenths of a second to try;
# then the text of relay.pl.
kind=$1 to=$2 tries=$3 relay=$4

if perl -MSocket -e 1 2>/dev/null; then
  exec perl -e "$relay" "$kind" "$to" "$tries"
fi
[ "$kind" = tcp ] || exit 4
if ! command -v bash >/dev/null; then
  # Small images have neither perl nor bash; the helpers of a container have a busybox.
  nc=/.berth/bin/nc
  [ -x "$nc" ] || exit 4
  exec 5<&0 6>&1
  until "$nc" 127.0.0.1 "$to" -e /bin/sh -c 'printf + >&6; cat <&5 & cat >&6; kill $!; exit 0' 2>/dev/null; do
    [ "$tries" -gt 0 ] || exit 3
    tries=$((tries - 1))
    sleep 0.1
  done
  exit 0
fi
exec bash -c '
until { exec 3<>"/dev/tcp/127.0.0.1/$1"; } 2>/dev/null; do
  [ "$2" -gt 0 ] || exit 3
  set -- "$1" $(($2 - 1))
  sleep 0.1
done
printf +
exec 4<&0
cat <&4 >&3 &
cat <&3
kill $!' bash "$to" "$tries"
