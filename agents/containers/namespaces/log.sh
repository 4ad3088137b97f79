#!/bin/sh
# Keeps what it reads in a file. One that is full is moved to <file>.1, in place of the one before, so that both
# together never take more than twice the bytes, however fast they come. Nothing is left out.
#
# Arguments: the file, and the bytes that it may have.
set -u
umask 077
log=$1 bytes=$2

size() { wc -c 2>/dev/null <"$log" || echo 0; }

while :; do
  room=$((bytes - $(size)))
  if [ "$room" -le 0 ]; then
    mv "$log" "$log.1"
    room=$bytes
  fi
  # Unbuffered: who follows the log sees each line as it is said.
  if stdbuf -o0 head -c "$room" >>"$log"; then
    # Less than there was room for: there is no more.
    [ "$(size)" -ge "$bytes" ] || exit 0
  else
    # The disk is full, perhaps. Who speaks must not be held up by that: what is said meanwhile is lost.
    timeout 1 cat >/dev/null
    [ $? -eq 124 ] || exit 0
  fi
done
