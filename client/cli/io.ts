/** The terminal that a person types at, key by key. */
export interface LocalTerminal {
  /** Passes every key on, Ctrl-C included. */
  setRaw(isRaw: boolean): void;
  size(): { readonly cols: number; readonly rows: number };
  /** Calls back until the returned function is called. */
  onResize(listener: () => void): () => void;
  onInput(listener: (bytes: Uint8Array) => void): () => void;
}

/** What a run of the command line reads and writes: the process's own, or a test's. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The result of the command: what a script reads. */
  out(text: string | Uint8Array): void | Promise<void>;
  /** Everything for people: questions, progress, errors. */
  err(text: string): void;
  /** What is piped into the command. */
  input(): ReadableStream<Uint8Array>;
  /** Whether a person can be asked: input and messages are a terminal. */
  readonly isInteractive: boolean;
  /** Whether the result goes to a terminal, and how wide that is. */
  readonly columns: number | undefined;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Undefined where input or output is no terminal. */
  readonly terminal?: LocalTerminal | undefined;
}

/** The exit status of a process that SIGINT ended. */
export const INTERRUPTED = 130;

/** The process's own input and output. A second Ctrl-C ends the process at once. */
export function processIo(): Io {
  const interrupt = new AbortController();
  process.on("SIGINT", () => {
    if (interrupt.signal.aborted) process.exit(INTERRUPTED);
    interrupt.abort();
  });
  // A reader that has seen enough, such as `head`, closes the pipe.
  process.stdout.on("error", () => process.exit(0));
  return {
    env: process.env,
    out: (text) =>
      new Promise((resolve) => {
        process.stdout.write(text, () => resolve());
      }),
    err: (text) => void process.stderr.write(text),
    input: () => Bun.stdin.stream() as ReadableStream<Uint8Array>,
    isInteractive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    interrupted: interrupt.signal,
    terminal: process.stdin.isTTY && process.stdout.isTTY ? localTerminal : undefined,
  };
}

const localTerminal: LocalTerminal = {
  setRaw: (isRaw) => void process.stdin.setRawMode(isRaw),
  size: () => ({ cols: process.stdout.columns, rows: process.stdout.rows }),
  onResize(listener) {
    process.stdout.on("resize", listener);
    return () => void process.stdout.off("resize", listener);
  },
  onInput(listener) {
    process.stdin.on("data", listener).resume();
    return () => void process.stdin.off("data", listener).pause();
  },
};
