import type { Exit, Machine, SpawnRequest } from "../process/machine.ts";

/** What a session shows and types to: a program on a PTY, or a shell at the other end of an SSH connection. */
export interface SessionProcess {
  /** Its process on this machine, if there is one. */
  readonly pid: number | null;
  /** Bytes that were written to it and that it has not taken. */
  readonly pending: number;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Ends it; `exited` is called when that is done. */
  end(): void;
}

export interface ProcessEvents {
  output(bytes: Uint8Array): void;
  /** Called once, and after all output. */
  exited(exit: Exit): void;
}

export type StartProcess = (
  size: { cols: number; rows: number },
  events: ProcessEvents,
) => SessionProcess | Promise<SessionProcess>;

/** A program that has ended leaves what it wrote in the kernel's buffer, which is read within milliseconds. */
const TAIL_QUIET_MS = 50;
/** Unless a background job goes on writing. */
const TAIL_MS_MAX = 2_000;
/** A program that is hung up on gets this long to put its things in order. */
const END_MS_MAX = 5_000;

/** Starts a program on a PTY of the machine. */
export const startPty =
  (machine: Machine, request: Omit<SpawnRequest, "terminal">): StartProcess =>
  async (size, events) => {
    let pending = 0;
    let lastOutput = 0;
    let isClosed = false;
    const child = await machine.spawn({
      ...request,
      terminal: {
        ...size,
        data(bytes) {
          lastOutput = performance.now();
          events.output(bytes);
        },
        closed() {
          isClosed = true;
        },
        drained() {
          pending = 0;
        },
      },
    });
    void child.exited.then(async (exit) => {
      const exitedAt = performance.now();
      for (;;) {
        const now = performance.now();
        const quietSince = Math.max(lastOutput, exitedAt);
        if (isClosed || now - quietSince > TAIL_QUIET_MS || now - exitedAt > TAIL_MS_MAX) break;
        await Bun.sleep(TAIL_QUIET_MS / 5);
      }
      child.close();
      events.exited(exit);
    });
    return {
      pid: child.pid,
      get pending() {
        return pending;
      },
      write(bytes) {
        pending += bytes.length;
        child.write(bytes);
      },
      resize: (cols, rows) => child.resize(cols, rows),
      end() {
        child.close();
        const timer = setTimeout(() => child.kill(), END_MS_MAX);
        void child.exited.then(() => clearTimeout(timer));
      },
    };
  };
