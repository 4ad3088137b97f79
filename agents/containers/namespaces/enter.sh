#!/bin/sh
# First process of a container's new pid, mount, uts, ipc and network namespaces. It still has the host's files in
# view, and every privilege. It builds the container's view, loses the rest, and becomes the container's init.
#
# No program may run with privileges once the container's own files are in view: its owner could have put a
# loader or a library in its path. So there are two roots. The outer one is a small read-only tmpfs with the host's
# programs and nothing of anyone's; it becomes the root by pivot_root, and the host's is detached from it. The
# container's own root is a folder in it, entered by chroot as the last thing, after the capabilities are gone.
# Who breaks out of that chroot stands in the outer root: in the same namespaces, without a way to the host's files. There, too,
# the filter of system calls (syscall-filter.ts) keeps them from a user namespace, in which they would have every privilege.
#
# keep.sh has started it. The agent reads this process's id from stdout, makes the network link, says "go" on stdin, and reads "ready", which
# init says. If the agent dies before its "go", stdin ends and so does this.
#
# Arguments: the container's folder, its host name, address, gateway, bounding set, the limits of its processes as prlimit
# takes them, bun, welcome.ts, init.sh, what its root is made of ("host", "whole", the folder of the image
# that it lies over, or "layers" for those that the file `layers` names, top first), then the container's command. With "layers", init.sh is
# launch.pl, and the command what that takes.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH
umask 022

# This /proc is the host's, so the number is the one that the host knows this process by.
read -r pid _ </proc/self/stat
echo "$pid"
read -r go
[ "$go" = go ]
exec 3>&1 </dev/null >&2

folder=$1 name=$2 address=$3 gateway=$4 capabilities=$5 limits=$6 bun=$7 welcome=$8 init=$9 beneath=${10}
shift 10

echo "$name" >/proc/sys/kernel/hostname

ip link set lo up
ip addr add "$address/32" dev eth0
ip link set eth0 up
ip route add "$gateway" dev eth0 scope link
ip route add default via "$gateway"

# Binds $1 on $2, read-only. Mounts below $1 do not come along.
bind_read_only() {
  mount --bind "$1" "$2"
  mount -o "remount,bind,ro,nodev" "$2"
}

# The host's programs, below the folder $1; as links where the host has links.
host_programs() {
  for entry in usr bin sbin lib lib32 lib64 libx32; do
    if [ -L "/$entry" ]; then
      [ -e "$1/$entry" ] || [ -L "$1/$entry" ] || cp -P "/$entry" "$1/$entry"
    elif [ -d "/$entry" ]; then
      mkdir -p "$1/$entry"
      bind_read_only "/$entry" "$1/$entry"
    fi
  done
}

outer=$folder/outer
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs "$outer"
mkdir "$outer/host" "$outer/container" "$outer/proc" "$outer/dev" "$outer/etc"
host_programs "$outer"
[ ! -e /etc/ld.so.cache ] || cp /etc/ld.so.cache "$outer/etc/"

# The agent has made sure that each of these is a folder, not a link; no program of the container runs yet.
root=$outer/container
case $beneath in
layers)
  # By short names: the kernel takes a page of options, and an image may have a hundred layers.
  mkdir "$outer/layers"
  cd "$outer/layers"
  lower=
  while IFS= read -r layer; do
    number=$((${number:-0} + 1))
    ln -s "$layer" "$number"
    lower=$lower${lower:+:}$number
  done <"$folder/layers"
  mount -t overlay -o "nodev,lowerdir=$lower,upperdir=$folder/root,workdir=$folder/work" overlay "$root" || {
    echo "this host's disk cannot lay files over others (overlayfs): no image can be run"
    exit 1
  }
  cd /
  rm -r "$outer/layers"
  ;;
/*) mount -t overlay -o "nodev,lowerdir=$beneath,upperdir=$folder/root,workdir=$folder/work" overlay "$root" ;;
*)
  mount --bind "$folder/root" "$root"
  mount -o remount,bind,nodev "$root"
  ;;
esac
stat -c %d "$root" >"$folder/device"
[ "$beneath" != host ] || host_programs "$root"

# Makes the device node $1 with the numbers $2 and $3. A bind of the host's node would share its inode, and with it mode, owner and times.
# Where the kernel allows no nodes, the host's is bound read-only: that can be read and written, and its inode not be changed.
device() {
  if [ "$own_devices" = yes ]; then
    mknod -m 666 "$1" c "$2" "$3"
  else
    : >"$1"
    mount --bind "/dev/${1##*/}" "$1"
    mount -o remount,bind,ro,nosuid,noexec "$1"
  fi
}

# Devices of the outer root, which nobody in the container can replace.
mount -t tmpfs -o mode=755,size=4k,nr_inodes=8,nosuid,noexec tmpfs "$outer/dev"
own_devices=yes
if ! { mknod -m 666 "$outer/dev/null" c 1 3 && true >"$outer/dev/null"; } 2>/dev/null; then
  own_devices=no
  rm -f "$outer/dev/null"
  device "$outer/dev/null" 1 3
fi
mount -o remount,ro,nosuid,noexec "$outer/dev"

mount -t tmpfs -o mode=755,size=1m,nr_inodes=1k,nosuid,noexec tmpfs "$root/dev"
device "$root/dev/null" 1 3
device "$root/dev/zero" 1 5
device "$root/dev/full" 1 7
device "$root/dev/random" 1 8
device "$root/dev/urandom" 1 9
device "$root/dev/tty" 5 0
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5,max=256,nosuid,noexec devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777,size=64m,nr_inodes=16k,nosuid,nodev,noexec tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"

mount -t tmpfs -o mode=1777,size=256m,nr_inodes=64k,nosuid,nodev tmpfs "$root/tmp"
mount -t tmpfs -o mode=755,size=64m,nr_inodes=16k,nosuid,nodev tmpfs "$root/run"

mount -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs "$root/.berth"
if [ "$beneath" = layers ]; then
  cp "$init" "$outer/etc/launch.pl"
else
  cp "$init" "$root/.berth/init"
fi
cp -R "$folder/etc" "$root/.berth/etc"
: >"$root/.berth/bun"
bind_read_only "$bun" "$root/.berth/bun"
mkdir "$root/.berth/host" "$root/.berth/host/alternatives" "$root/.berth/host/certs"
[ ! -d /etc/alternatives ] || bind_read_only /etc/alternatives "$root/.berth/host/alternatives"
[ ! -d /etc/ssl/certs ] || bind_read_only /etc/ssl/certs "$root/.berth/host/certs"
cp "$welcome" "$root/.berth/welcome.ts"
mount -o remount,ro,nosuid,nodev "$root/.berth"

mount -t proc -o nosuid,nodev,noexec proc "$outer/proc"
cd "$outer"
pivot_root . host
cd /
umount -l /host
rmdir /host

# The entries of /proc that belong to no process are the kernel's and shared by the whole host, modes and owners included. All
# are mounted read-only, and those that reveal the host are masked. One call of mount does all: each call costs a millisecond.
for entry in /proc/*; do
  [ ! -L "$entry" ] || continue
  case ${entry#/proc/} in
  [0-9]*) ;;
  kcore | keys | kmsg | latency_stats | sched_debug | timer_list | timer_stats) echo "/dev/null $entry none bind,ro,nosuid,noexec" ;;
  acpi | scsi) echo "tmpfs $entry tmpfs ro,size=0" ;;
  *) echo "$entry $entry none bind,ro,nosuid,nodev,noexec" ;;
  esac
done >/etc/fstab
mount --all --fstab /etc/fstab
rm /etc/fstab
mount --rbind /proc /container/proc
mount -o remount,ro,nosuid,nodev /
# A descriptor that was opened on the host would lead to the host's device.
exec </dev/null

if [ "$beneath" = layers ]; then
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOSTNAME="$name" \
    prlimit $limits \
    setpriv --bounding-set "$capabilities" --inh-caps=-all --ambient-caps=-all --clear-groups \
    perl /etc/launch.pl /container "$@"
fi
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  HOME=/root LANG=C.UTF-8 HOSTNAME="$name" \
  prlimit $limits \
  setpriv --bounding-set "$capabilities" --inh-caps=-all --ambient-caps=-all --clear-groups \
  chroot /container /bin/sh /.berth/init "$@"
