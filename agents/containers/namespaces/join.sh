#!/bin/sh
# Starts a program in a container that runs, as the container's own would: in its namespaces and its groups of limits, without the
# capabilities that its init has lost, in its root, as one of its users. Until `chroot` every program is the host's own, from
# the outer root (see enter.sh), and of the request only the values of BERTH_ENTER_* are in its environment, which
# mean nothing to it.
#
# Arguments: the id of init, its bounding set, the limits of its processes as prlimit takes them, the user, the text of become.sh,
# "stdin" when the program reads what the agent writes, or "", how many groups' files follow, those files, and what become.sh takes.
set -eu
init=$1 capabilities=$2 limits=$3 user=$4 become=$5 stdin=$6 groups=$7
shift 7

while [ "$groups" -gt 0 ]; do
  echo $$ >"$1"
  shift
  groups=$((groups - 1))
done

# The container's own null device: through an open descriptor of the host's, a program could change the mode and owner of that one.
case $1,$stdin in
terminal,*) null= ;;
,stdin) null="2>/dev/null" ;;
*) null="</dev/null 2>/dev/null" ;;
esac
exec prlimit $limits nsenter -t "$init" -m -u -i -n -p \
  /bin/sh -c "exec \"\$@\" $null" join \
  setpriv --bounding-set "$capabilities" --inh-caps=-all --ambient-caps=-all --clear-groups \
  chroot --userspec="$user" /container /bin/sh -c "$become" become "$user" "$@"
