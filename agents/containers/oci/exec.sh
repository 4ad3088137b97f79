# In the mount namespace of a container's supervisor: has the runtime start a program in the container. What the program has for a null
# device is the container's own.
#
# Arguments: the file that says what to start, which goes at once; "stdin" when it reads what the agent writes, "all" when the agent also
# reads its stderr, or ""; and the runtime's command.

exec 9<"$1"
rm -f "$1"
case $2 in
stdin) shift 2; exec "$@" 2>/dev/null ;;
all) shift 2; exec "$@" ;;
*) shift 2; exec "$@" </dev/null 2>/dev/null ;;
esac
