#!/bin/sh
# Runs a program in a container that runs: in its namespaces, its control groups and its limits. As enter.sh does, it loses every
# privilege that a container has not before anything of the container's files is run: the outer root, which is the root of its mount
# namespace, has the host's programs and nothing of anyone's.
#
# Arguments: init's process id, bounding set, the largest file in blocks of 512 bytes, "terminal" (stdin is one, and becomes that of a
# session of its own) or "", how many control groups, their folders, then the program.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH

pid=$1 capabilities=$2 file_blocks=$3 terminal=$4 groups=$5
shift 5
while [ "$groups" -gt 0 ]; do
  echo $$ >"$1/cgroup.procs"
  shift
  groups=$((groups - 1))
done
ulimit -f "$file_blocks"
umask 022
# In the new pid namespace, where a shell can see its own session.
[ -z "$terminal" ] || terminal="setsid --ctty"
exec nsenter -t "$pid" --mount --uts --ipc --net --pid -- $terminal \
  setpriv --bounding-set "$capabilities" --inh-caps=-all --ambient-caps=-all --clear-groups \
  chroot /container "$@"
