/**
 * Starts a shell script that outlives this process and acts when it is gone: the kernel then closes the pipe from
 * this process, even after kill -9.
 *
 * @param script reads commands, one per line, from its standard input until that ends
 * @returns a function that sends it one command
 */
export function startWatchdogShell(script: string): (command: string) => void {
  const shell = Bun.spawn(["/bin/sh", script], {
    stdio: ["pipe", "ignore", "ignore"],
    // In a session of its own: a signal to this process's group, such as Ctrl-C, must not reach it.
    detached: true,
  });
  shell.unref();
  return (command) => {
    shell.stdin.write(`${command}\n`);
    shell.stdin.flush();
  };
}
