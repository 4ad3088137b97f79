# In a container, as one of its users: the environment of a login, and then the program. It is the container's own shell that reads
# this, with no more power than its user has.
#
# Arguments: the user, "terminal" or "", how many variables follow, those as NAME=value, and the program; for a terminal as
# one text for a shell.

user=$1 terminal=$2 count=$3
shift 3

HOME=/ SHELL=/bin/sh
while IFS=: read -r name _ _ _ _ home shell; do
  [ "$name" = "$user" ] || continue
  HOME=${home:-/} SHELL=${shell:-/bin/sh}
  break
done </etc/passwd
USER=$user LOGNAME=$user
export HOME SHELL USER LOGNAME
while [ "$count" -gt 0 ]; do
  command export "$1"
  shift
  count=$((count - 1))
done
cd "$HOME" 2>/dev/null || cd /

if [ -n "$terminal" ]; then
  # A terminal of the container's own, whose name means something in here; the one that this came on is the host's.
  BERTH_SHELL=$SHELL SHELL=/bin/sh
  export BERTH_SHELL
  exec script -q -e -c "SHELL=\$BERTH_SHELL; unset BERTH_SHELL; exec $1" /dev/null
fi
exec "$@"
