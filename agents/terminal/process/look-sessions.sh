# Says where sessions are: for each, a line with the program in the foreground of its terminal, and one with its shell's
# directory. Either is empty where it cannot be told. Arguments: the sessions' processes.

for pid; do
  # For another user, the shell is the child of su. (No newline ends the list of children, so read reports the end.)
  if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = su ]; then
    child=
    read -r child _ <"/proc/$pid/task/$pid/children"
    pid=$child
  fi
  program=
  if read -r stat <"/proc/$pid/stat"; then
    # After the name in parentheses, which may hold anything: state, parent, group, session, terminal, group in the foreground.
    set -- ${stat##*) }
    program=$(head -n 1 "/proc/$6/comm")
  fi
  printf '%s\n' "$program" "$(readlink "/proc/$pid/cwd" | head -n 1)"
done
