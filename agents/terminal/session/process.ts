import { startOnPty } from "../../exec/pty.ts";
import { tailRead } from "../../exec/pty-tail.ts";
import type {
  ExecTarget,
  Exit,
  HostedPtyEvents,
  HostedPtyProcess,
  PtyProcess,
  SpawnRequest,
} from "../../exec/target.ts";

/** The process behind a session: a program on a PTY, or a shell over an SSH connection. */
export interface SessionProcess {
  /** Its process on this machine, if there is one. */
  readonly pid: number | null;
  /** Bytes written to it that it has not read yet. */
  readonly pending: number;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Ends it; `exited` is called when it has ended. */
  end(): void;
  /** Set when it can outlive this process: stores the session's record, and detaches. */
  readonly kept?: Pick<HostedPtyProcess, "store" | "leave">;
}

export interface ProcessEvents extends Omit<HostedPtyEvents, "taken"> {
  output(bytes: Uint8Array): void;
  /** Called once, and after all output. */
  exited(exit: Exit): void;
}

/** @param record the session's current record, for the next process of this service */
export type StartProcess = (
  size: { cols: number; rows: number },
  events: ProcessEvents,
  record: () => Uint8Array,
) => SessionProcess | Promise<SessionProcess>;

/** How long a program may take to clean up after SIGHUP. */
const END_MS_MAX = 5_000;

/** Holds programs on PTYs, so that they outlive this process. */
export interface ProcessStarter {
  /** Returns null when it cannot; then programs run on PTYs of this process. */
  start(
    record: Uint8Array,
    ...started: Parameters<NonNullable<SpawnRequest["start"]>>
  ): Promise<HostedPtyProcess | null>;
}

type Terminal = SpawnRequest["terminal"];

/** Starts a program on a PTY of the target machine, through `ProcessStarter` if there is one. */
export const startPty =
  (
    target: ExecTarget,
    request: Omit<SpawnRequest, "terminal">,
    holder: ProcessStarter | null = null,
  ): StartProcess =>
  (size, events, record) =>
    attach(size, events, async (terminal) => {
      let kept: HostedPtyProcess | null = null;
      if (holder === null) return { child: await target.spawn({ ...request, terminal }), kept };
      const start: SpawnRequest["start"] = async (...started) => {
        kept = await holder.start(record(), ...started);
        return kept ?? startOnPty(...started);
      };
      return { child: await target.spawn({ ...request, terminal, start }), kept };
    });

/** A program that kept running while no process of this service did. */
export interface AdoptedPty {
  readonly record: Uint8Array;
  readonly given: number;
  readonly taken: number;
  /** Whether its program has ended. */
  readonly ended: boolean;
  /** Attaches to its output, from the point at which the record was stored. */
  start(terminal: Terminal): HostedPtyProcess;
  /** Settles when all output that existed when it was found has arrived. */
  readonly shown: Promise<void>;
  /** Disconnects without ending it. */
  close(): void;
}

/** Adopts a program that an earlier process of this service started with `startPty`. */
export const adoptPty = (
  target: ExecTarget,
  found: AdoptedPty,
  size: { cols: number; rows: number },
  events: ProcessEvents,
): Promise<SessionProcess> =>
  attach(
    size,
    events,
    async (terminal) => {
      const kept = found.start(terminal);
      return { child: target.adopt(kept), kept };
    },
    found,
  );

async function attach(
  size: { cols: number; rows: number },
  events: ProcessEvents,
  start: (terminal: Terminal) => Promise<{ child: PtyProcess; kept: HostedPtyProcess | null }>,
  before = { given: 0, taken: 0 },
): Promise<SessionProcess> {
  let { given, taken } = before;
  const state = { lastOutput: 0, isClosed: false };
  const { child, kept } = await start({
    ...size,
    ...{ gap: events.gap, resized: events.resized, live: events.live },
    data(bytes) {
      state.lastOutput = performance.now();
      events.output(bytes);
    },
    closed() {
      state.isClosed = true;
    },
    drained() {
      taken = given;
    },
    taken(bytes) {
      taken = bytes;
    },
  });
  void child.exited.then(async (exit) => {
    await tailRead(state);
    child.close();
    events.exited(exit);
  });
  return {
    pid: child.pid,
    get pending() {
      return given - taken;
    },
    write(bytes) {
      given += bytes.length;
      child.write(bytes);
    },
    resize: (cols, rows) => child.resize(cols, rows),
    end() {
      child.close();
      const timer = setTimeout(() => child.kill(), END_MS_MAX);
      void child.exited.then(() => clearTimeout(timer));
    },
    ...(kept === null ? {} : { kept }),
  };
}
