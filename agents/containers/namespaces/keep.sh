#!/bin/sh
# Outside of a container, beside its init: keeps what the container says, and writes down how init ended. It outlives the
# agent, so that the next one knows both. None of the container's limits holds it: it must work when they are met.
#
# The file `run` holds this process's id, and once init has ended its exit status, as a shell reports it.
#
# Arguments: the container's folder, the bytes that its log may have, log.sh, enter.sh, and what enter.sh takes.
set -u
umask 077
folder=$1 bytes=$2 log=$3
shift 3

echo $$ >"$folder/run"
: >>"$folder/log"
exec 3>&1
# stdin and stdout are for the agent's words with enter.sh; what goes to stderr is the log.
{
  # A shell in the host's namespaces whose first child is the first process of the container's. Nobody stands between
  # the two: `unshare --fork` would make "status 1" of a SIGKILL.
  unshare --pid -- /bin/sh -c 'unshare --mount --uts --ipc --net -- /bin/sh "$@"; exit $?' init "$@" >&3 3>&-
  status=$?
  # Another run may have begun, if this one's end was forced.
  read -r now <"$folder/run" && [ "$now" = $$ ] && echo "$$ $status" >"$folder/run"
} 2>&1 | /bin/sh "$log" "$folder/log" "$bytes" >/dev/null 3>&-
