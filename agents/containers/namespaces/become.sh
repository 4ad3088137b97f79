# In a container, as one of its users: the environment of a login, and then the program. It is the container's own shell that reads
# this, with no more power than its user has.
#
# Arguments: the user, "terminal" or "", and the program; for a terminal as one text for a shell. Its variables are in those of
# BERTH_ENTER_COUNT and BERTH_ENTER_<n>, each of which is one NAME=value: everybody can read arguments, and the programs that led
# here, the host's own, must not follow what a variable says.

user=$1 terminal=$2
shift 2

HOME=/ SHELL=/bin/sh
while IFS=: read -r name _ _ _ _ home shell; do
  [ "$name" = "$user" ] || continue
  HOME=${home:-/} SHELL=${shell:-/bin/sh}
  break
done </etc/passwd
USER=$user LOGNAME=$user
export HOME SHELL USER LOGNAME
berth_count=${BERTH_ENTER_COUNT:-0}
unset BERTH_ENTER_COUNT
while [ "$berth_count" -gt 0 ]; do
  berth_count=$((berth_count - 1))
  eval "berth_entry=\$BERTH_ENTER_$berth_count"
  unset "BERTH_ENTER_$berth_count"
  command export "$berth_entry"
done
cd "$HOME" 2>/dev/null || cd /

if [ -n "$terminal" ]; then
  # A terminal of the container's own, whose name means something in here; the one that this came on is the host's.
  BERTH_SHELL=$SHELL SHELL=/bin/sh
  export BERTH_SHELL
  exec script -q -e -c "SHELL=\$BERTH_SHELL; unset BERTH_SHELL; exec $1" /dev/null
fi
exec "$@"
