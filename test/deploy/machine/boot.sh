# Starts systemd as process 1 of a machine of its own, which begins as a copy of this one: what it writes goes to memory.
#
#   unshare (all namespaces) --fork sh boot.sh [--probe] FOLDER FROM=TO…
#
# FOLDER holds its root. FROM=TO is a folder of this machine that is TO there; what is written below it stays there.
# --probe ends in the place of starting systemd.
set -eu

probe=no
[ "$1" != --probe ] || { probe=yes; shift; }
folder=$1
shift
root=$folder/root

mount -t tmpfs -o mode=755 tmpfs "$folder"
# The programs of this machine; overlays do not show what is mounted below their lower folder.
overlay() {
  layers=$folder/layers/$(echo "$2" | tr / _)
  mkdir -p "$layers/upper" "$layers/work" "$2"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$layers/upper,workdir=$layers/work" "$2"
}
overlay / "$root"
for pair in "$@"; do overlay "${pair%%=*}" "$root${pair#*=}"; done

mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
for device in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
  set -- $device
  mknod -m 666 "$root/dev/$1" c "$2" "$3"
done
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"

# None of this machine's own units: they would start its services, and set what is the whole kernel's.
rm -rf "$root/etc/systemd/system" "$root/var/log/journal"
mkdir -p "$root/etc/systemd/system" "$root/etc/systemd/units/sockets.target.wants"
for name in sysinit.target basic.target local-fs.target sockets.target slices.target paths.target timers.target network.target \
  network-online.target multi-user.target shutdown.target umount.target final.target systemd-journald.service systemd-journald.socket \
  systemd-journald-dev-log.socket; do
  cp "/usr/lib/systemd/system/$name" "$root/etc/systemd/units/$name"
done
ln -s ../systemd-journald.socket ../systemd-journald-dev-log.socket "$root/etc/systemd/units/sockets.target.wants/"

ip link set lo up
cd "$root"
mkdir -p mnt/former
pivot_root . mnt/former
cd /
umount -l /mnt/former
[ "$probe" = no ] || exit 0
exec env -i container=test SYSTEMD_UNIT_PATH=/etc/systemd/system:/etc/systemd/units PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --unit=multi-user.target --log-target=console --show-status=0
