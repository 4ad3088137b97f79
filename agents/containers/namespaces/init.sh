#!/bin/sh
# Init of a container: runs the command that it is given, reaps what is orphaned, and ends as the command ends, or on
# SIGTERM, which it passes on first. Without a command it stays, so that the container can be entered.

exec </dev/null
child=
stopping=
stop() {
  stopping=yes
  [ -z "$child" ] || kill -TERM "$child" 2>/dev/null
}
trap stop TERM

# Here, and not by the agent: only in here do the container's own links lead nowhere but into the container.
for file in hostname hosts resolv.conf; do
  rm -rf "/etc/$file"
  cat "/.berth/etc/$file" >"/etc/$file"
done
cd "$HOME" 2>/dev/null || cd /

# Runs a command to its end. A signal that is handled ends `wait` early; the command still counts until it is gone.
attend() {
  "$@" &
  child=$!
  # SIGTERM may have arrived before there was a child to pass it to.
  [ -z "$stopping" ] || stop
  while :; do
    wait "$child"
    status=$?
    kill -0 "$child" 2>/dev/null || return "$status"
  done
}

# Not sooner: what is sent to the first process of a namespace before it handles it is lost.
echo ready >&3
exec 3>&-

if [ $# -gt 0 ]; then
  attend "$@"
  status=$?
  [ -n "$stopping" ] || echo "berth: the command ended with status $status"
  exit "$status"
fi
while [ -z "$stopping" ]; do
  attend sleep 86400
done
exit 0
