# Connects to a server where this runs, and passes bytes between it and stdin and stdout. Writes "+" when it is connected.
# Ends with 3 when nobody listens, and with 4 where there is no program to connect with.
#
# Arguments: "tcp" and a port of the loopback interface, or "unix" and the path of a socket; then for how many tenths of a second to try;
# then the text of relay.pl.
kind=$1 to=$2 tries=$3 relay=$4

if perl -MSocket -e 1 2>/dev/null; then
  exec perl -e "$relay" "$kind" "$to" "$tries"
fi
[ "$kind" = tcp ] && command -v bash >/dev/null || exit 4
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
