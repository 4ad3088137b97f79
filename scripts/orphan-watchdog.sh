#!/bin/sh
# Ends the children of a process once that process is gone for any reason: its end of this script's standard input
# closes, even on kill -9. Lines on standard input:
#   hold PID SIGNAL   end PID with SIGNAL, the last one held first
#   drop PID          PID has ended by itself
#   remove FOLDER     remove a temporary folder when all have ended

LIMIT_TENTHS=100 # 10 s for each process, then SIGKILL

held=""
folders=""
while read -r verb first second; do
  case "$verb" in
    hold) held="$first:$second $held" ;;
    drop)
      kept=""
      for entry in $held; do
        [ "${entry%%:*}" = "$first" ] || kept="$kept$entry "
      done
      held="$kept"
      ;;
    remove) folders="$folders$first
" ;;
  esac
done

for entry in $held; do
  pid="${entry%%:*}"
  kill -s "${entry##*:}" "$pid" 2>/dev/null || continue
  tenths=0
  while kill -0 "$pid" 2>/dev/null; do
    # A zombie counts as ended; no process may be left to wait for it.
    grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null && break
    [ "$tenths" -lt "$LIMIT_TENTHS" ] || kill -s KILL "$pid" 2>/dev/null
    [ "$tenths" -lt "$((LIMIT_TENTHS + 20))" ] || break
    tenths=$((tenths + 1))
    sleep 0.1
  done
done

printf '%s' "$folders" | while read -r folder; do
  # Only folders that mkdtemp created for Berth.
  case "$folder" in */berth-??????*) rm -rf -- "$folder" ;; esac
done
