# Starts a program that an image declares. It goes on when nobody is there who started it: its output goes to a file.
#
# Arguments: the file, then the program's command.
umask 077
log=$1
shift
rm -f -- "$log"
exec >"$log" 2>&1 </dev/null
exec "$@"
