# Starts a container in a mount namespace of its own, and becomes its supervisor (conmon), which keeps its log and its exit status and
# outlives the agent. `unshare --mount` has started it.
#
# Nothing happens before the agent says "make" on stdin: by then it has noted this process, so that the next agent can end what this one began.
# On stdout comes what conmon says, one line of JSON with the process's id, then "ready" or "failed". The container is made, but nothing of it
# runs before the agent says "go": until then it has no network. If the agent dies before that, stdin ends, and the container is removed.
#
# Arguments: the container's folder, its id, bun, make-root.ts, the bytes that its log may have, and the runtime with its own arguments.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH
umask 077
folder=$1 id=$2 bun=$3 make_root=$4 log_bytes=$5 runtime=$6
shift 6

read -r make && [ "$make" = make ] || exit 0

# crun takes this second hierarchy, which has no controllers that matter, for a reason to refuse.
if mountpoint -q /sys/fs/cgroup/unified; then umount -l /sys/fs/cgroup/unified; fi

"$bun" "$make_root" "$folder/plan.json" </dev/null >&2
rm -f "$folder/plan.json"
mkdir -p "$folder/exit"

exec 3>&1 4<&0 </dev/null >/dev/null
{
  if read -r go <&4 && [ "$go" = go ] && : >"$folder/begun" && "$runtime" "$@" start "$id"; then
    echo ready >&3
  else
    "$runtime" "$@" delete --force "$id" || :
    echo failed >&3
  fi
} &
exec 4<&-
for word; do
  set -- "$@" --runtime-arg "$word"
  shift
done
_OCI_SYNCPIPE=3 exec conmon --sync --full-attach --api-version 1 \
  --cid "$id" --cuuid "$id" --name "$id" --runtime "$runtime" --bundle "$folder/bundle" \
  --container-pidfile "$folder/bundle/pid" --exit-dir "$folder/exit" \
  --log-path "k8s-file:$folder/log" --log-size-max "$log_bytes" "$@"
