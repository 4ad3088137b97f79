#!/bin/sh
# Runs the command that it is given, waits for it and for all orphans that come to this process, passes signals on, and
# ends as the command ends.

child=
# The command reads what this process would: an asynchronous one has no input otherwise.
exec 3<&0
for signal in TERM INT HUP QUIT USR1 USR2; do
  trap "kill -s $signal \"\$child\" 2>/dev/null" "$signal"
done
"$@" <&3 3<&- &
child=$!
exec </dev/null 3<&-

# A signal that is handled ends `wait` early; the command still counts until it is gone.
while :; do
  wait "$child"
  status=$?
  kill -0 "$child" 2>/dev/null && continue
  # The command may have ended after the signal ended the wait: then its own status has not been read yet.
  wait "$child" 2>/dev/null
  last=$?
  [ "$last" = 127 ] || status=$last
  exit "$status"
done
