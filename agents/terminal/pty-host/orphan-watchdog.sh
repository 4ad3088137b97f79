#!/bin/sh
# Ends what a PTY host's programs leave behind when the PTY host itself is killed: its end of our standard input closes then. What was on
# its terminals is hung up on by the kernel. A relay between two terminals (`script`, `su -P`) is not: it takes the end of its input
# for ^D, and goes on. Lines on standard input:
#   hold PID STARTED   a process, and when it started (field 22 of /proc/PID/stat)
#   drop PID           it has ended

GRACE_TENTHS=50 # 5 s to put things in order, then SIGKILL

# The process of that number is still the one that was meant, and is none that has only to be buried.
same() {
  IFS= read -r stat <"/proc/$1/stat" || return 1
  set -- "$2" ${stat##*) }
  [ "$2" != Z ] && [ "${21}" = "$1" ]
} 2>/dev/null

held=""
while read -r verb pid started; do
  case "$verb" in
  hold) held="$held $pid:$started" ;;
  drop)
    kept=""
    for entry in $held; do
      [ "${entry%%:*}" = "$pid" ] || kept="$kept $entry"
    done
    held=$kept
    ;;
  esac
done

for entry in $held; do
  same "${entry%%:*}" "${entry##*:}" && kill -s TERM "${entry%%:*}" 2>/dev/null
done
tenths=0
while [ "$tenths" -lt "$GRACE_TENTHS" ]; do
  left=""
  for entry in $held; do
    same "${entry%%:*}" "${entry##*:}" && left=yes
  done
  [ -n "$left" ] || exit 0
  tenths=$((tenths + 1))
  sleep 0.1
done
for entry in $held; do
  same "${entry%%:*}" "${entry##*:}" && kill -s KILL "${entry%%:*}" 2>/dev/null
done
