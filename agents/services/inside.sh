# Runs a program in a container as a user of it, in the user's home. Arguments: the user, then the program. It begins as root, with the
# container's own files in view and no more privileges than the container has.

user=$1
shift
IFS=: read -r name _ uid gid _ home shell <<END
$(getent passwd "$user")
END
if [ -z "$uid" ]; then
  [ "$user" = root ] || exit 125
  name=root uid=0 gid=0 home=/root shell=/bin/sh
fi
HOME=$home USER=$name LOGNAME=$name SHELL=${shell:-/bin/sh}
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME USER LOGNAME SHELL PATH
enter='cd "$HOME" 2>/dev/null || cd /
exec "$@"'
[ "$uid" = 0 ] || exec setpriv --reuid "$uid" --regid "$gid" --init-groups -- /bin/sh -c "$enter" sh "$@"
exec /bin/sh -c "$enter" sh "$@"
