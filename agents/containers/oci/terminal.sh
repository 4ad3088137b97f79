# In the mount namespace of a container's supervisor, where /dev/pts is the container's: makes a terminal there, and has the runtime start a
# program on it. What relays between it and the terminal that this came on is the host's `script`.
#
# Arguments: the terminal's owner, and the command that starts the program.

exec script -q -e -c "$(printf 'chown %s "$(tty)" && exec' "$1"; shift; printf " '%s'" "$@")" /dev/null
