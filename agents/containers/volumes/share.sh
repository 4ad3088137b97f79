# Works on the files of one storage share. `unshare --mount` starts it, so that what it mounts is seen by nobody else; only for `mount` it is
# started where the mount shall be.
#
# A share is a disk: a file with a file system of its own, which cannot grow past its size. A loop device stands for the file while the share is
# mounted anywhere, and is detached with the last mount. Two devices for one file would destroy it: the lock keeps all that attach it apart, also
# those that an earlier agent started.
#
# Arguments: what to do, the share's folder, and what that takes. A status of 3: this host cannot mount disks; 5: the share is mounted.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C
export PATH LC_ALL
umask 077
act=$1 folder=$2
shift 2
disk=$folder/disk.img
here=$folder/mount
snapshots=$folder/snapshots
mkdir -p "$here" "$snapshots"
exec 9>>"$folder/lock"
flock 9

fail() {
  echo "$1" >&2
  exit "${2:-1}"
}

attached() { losetup --noheadings --raw --output NAME --associated "$disk"; }

# Sets `device`.
mount_disk() {
  for _ in 1 2 3 4 5; do
    device=$(attached | head -n 1)
    [ -n "$device" ] || device=$(losetup --find --show "$disk") || return 1
    exec 8<"$device" || return 1
    # It may have been detached, and given to another file, before it was opened. From here on it stays.
    if attached | grep -qx "$device"; then
      # Not at once, since it is open: with its last mount.
      losetup --detach "$device" || return 1
      mount -t ext4 -o nosuid,nodev "$device" "$1" || return 1
      exec 8<&-
      return 0
    fi
    exec 8<&-
  done
  return 1
}

# A twentieth of the host's disk is for the host.
assert_room() {
  set -- "$1" $(df --output=avail,size --block-size=1 "$folder" | tail -n 1)
  [ $(($2 - $1)) -ge $(($3 / 20)) ] || fail "its host's disk has no room for it"
}

# Where the disk can, room is reserved: a share never fails for want of room that others took.
reserve() { fallocate --length "$2" "$1" 2>/dev/null || truncate --size ">$2" "$1"; }

check_and_fill() {
  e2fsck -f -p "$1" >/dev/null 2>&1 || [ $? -eq 1 ] || fail "its file system is damaged"
  resize2fs "$1" >/dev/null 2>&1 || fail "its file system cannot be grown"
}

used_bytes() {
  set -- $(stat --file-system --format '%b %f %S' "$here")
  echo $((($1 - $2) * $3))
}

case $act in
create)
  assert_room "$1"
  rm -rf "$folder/empty" "$disk.new"
  mkdir -p "$folder/empty/data"
  chmod 755 "$folder/empty" "$folder/empty/data"
  reserve "$disk.new" "$1"
  mkfs.ext4 -q -F -m 0 -E nodiscard -d "$folder/empty" "$disk.new" >&2 || fail "no mkfs.ext4 here" 3
  rm -r "$folder/empty"
  sync "$disk.new"
  mv "$disk.new" "$disk"
  if ! mount_disk "$here"; then
    rm "$disk"
    fail "no loop devices here" 3
  fi
  ;;
mount)
  mount_disk "$1" || fail "the disk of a storage share cannot be mounted"
  ;;
usage)
  mount_disk "$here"
  # An agent may have died while it made a snapshot.
  fsfreeze --unfreeze "$here" 2>/dev/null || :
  used_bytes
  ;;
grow)
  now=$(stat --format %s "$disk")
  [ "$now" -ge "$1" ] || assert_room $(($1 - now))
  reserve "$disk" "$1"
  if [ -z "$(attached)" ]; then
    check_and_fill "$disk"
  else
    mount_disk "$here"
    losetup --set-capacity "$device"
    # The kernel lets few grow what is mounted: it takes CAP_SYS_RESOURCE.
    resize2fs "$device" >/dev/null 2>&1 || exit 5
  fi
  ;;
snapshot)
  # As long as writes of containers may wait.
  limit=$([ -z "$(attached)" ] && echo 0 || echo 60)
  mount_disk "$here"
  used=$(used_bytes)
  assert_room "$used"
  trap 'fsfreeze --unfreeze "$here" 2>/dev/null || :' EXIT
  fsfreeze --freeze "$here"
  if ! timeout "$limit" cp --reflink=auto --sparse=always "$disk" "$snapshots/$1.new"; then
    rm -f "$snapshots/$1.new"
    fail "it could not be copied within $limit seconds, or there was no room: stop its containers and try again"
  fi
  fsfreeze --unfreeze "$here"
  sync "$snapshots/$1.new"
  mv "$snapshots/$1.new" "$snapshots/$1"
  echo "$used"
  ;;
restore)
  [ -z "$(attached)" ] || exit 5
  [ -e "$snapshots/$1" ] || fail "the snapshot is not on its host"
  assert_room $(($(stat --format %b "$snapshots/$1") * 512))
  cp --reflink=auto --sparse=always "$snapshots/$1" "$disk.new"
  truncate --size ">$2" "$disk.new"
  check_and_fill "$disk.new"
  sync "$disk.new"
  mv "$disk.new" "$disk"
  reserve "$disk" "$2"
  ;;
remove)
  [ -z "$(attached)" ] || exit 5
  ;;
create-folder)
  mkdir -p "$folder/data"
  chmod 755 "$folder/data"
  ;;
usage-folder)
  du --summarize --one-file-system --block-size=1 "$folder/data" | cut -f 1
  ;;
snapshot-folder)
  used=$(du --summarize --one-file-system --block-size=1 "$folder/data" | cut -f 1)
  assert_room "$used"
  rm -rf "$snapshots/$1.new"
  cp --archive --reflink=auto "$folder/data" "$snapshots/$1.new"
  mv "$snapshots/$1.new" "$snapshots/$1"
  echo "$used"
  ;;
restore-folder)
  [ -e "$snapshots/$1" ] || fail "the snapshot is not on its host"
  rm -rf "$folder/data.new" "$folder/data.old"
  cp --archive --reflink=auto "$snapshots/$1" "$folder/data.new"
  [ ! -e "$folder/data" ] || mv "$folder/data" "$folder/data.old"
  mv "$folder/data.new" "$folder/data"
  rm -rf "$folder/data.old"
  ;;
drop)
  rm -rf "${snapshots:?}/$1" "$snapshots/$1.new"
  ;;
esac
