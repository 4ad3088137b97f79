import type { PtyProcess, SpawnRequest } from "./target.ts";

/** Starts a program of this host on a new PTY. What its end and its number mean is for who knows what runs on it. */
export function startOnPty(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  terminal: SpawnRequest["terminal"],
): PtyProcess {
  const child = Bun.spawn([...argv], {
    cwd: options.cwd,
    env: options.env,
    terminal: {
      cols: terminal.cols,
      rows: terminal.rows,
      data: (_, bytes) => terminal.data(bytes),
      exit: () => terminal.closed(),
      drain: () => terminal.drained(),
    },
  });
  const pty = child.terminal;
  if (pty === undefined) throw new Error("no terminal was made");
  return {
    pid: child.pid,
    exited: child.exited.then((code) => ({
      code: child.signalCode === null ? code : null,
      signal: child.signalCode === null ? null : String(child.signalCode),
    })),
    write: (bytes) => {
      if (!pty.closed) pty.write(bytes);
    },
    resize: (cols, rows) => {
      if (!pty.closed) pty.resize(cols, rows);
    },
    close: () => pty.close(),
    kill: () => child.kill("SIGKILL"),
  };
}
