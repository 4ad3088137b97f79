import { readFileSync } from "node:fs";
import { childOf, identify, nameOf, type ProcessIdentity, signal } from "../../../system/process-identity.ts";
import type { PtyProcess } from "../../exec/target.ts";

/** A program on a terminal in a container, which the runtime has started there. */

/** A program is started within tens of milliseconds. */
const START_MS_MAX = 5_000;
const START_POLL_MS = 5;
/** Time for a program to clean up after its terminal was closed. */
const END_MS_MAX = 5_000;
/** Stands for the process id of a program that ended before it was found; no process has it. */
const NO_PID = -1;

/** A program on a terminal as those see it who are with it in the container. */
export const asSeenInside = (outer: PtyProcess, program: ProcessIdentity | null): PtyProcess => {
  const relay = identify(outer.pid);
  return {
    pid: program === null ? NO_PID : pidInside(program.pid),
    exited: outer.exited,
    write: (bytes) => outer.write(bytes),
    resize: (cols, rows) => outer.resize(cols, rows),
    close() {
      outer.close();
      if (program === null) return;
      // The relay holds the inner terminal: its end hangs up every program there. A program that ignores the hang-up is killed later.
      if (relay) signal(relay, "SIGKILL");
      setTimeout(() => signal(program, "SIGKILL"), END_MS_MAX).unref();
    },
    kill() {
      if (program) signal(program, "SIGKILL");
      outer.kill();
    },
  };
};

/** Waits until the program on a terminal runs. @returns null: it has ended before, or has not begun */
export async function awaitTerminalProgram(
  outer: PtyProcess,
  runtimeName: string,
): Promise<ProcessIdentity | null> {
  let isOver = false;
  void outer.exited.then(() => {
    isOver = true;
  });
  const limit = performance.now() + START_MS_MAX;
  while (!isOver && performance.now() < limit) {
    const found = findTerminalProgram(outer.pid, runtimeName);
    if (found !== null) return found;
    await Bun.sleep(START_POLL_MS);
  }
  return null;
}

/** The runtime is the child of the relay `script`, or relays itself. Its child is the program, which is in the container from the start. */
export function findTerminalProgram(relay: number, runtimeName: string): ProcessIdentity | null {
  const runtime = nameOf(relay) === "script" ? childOf(relay) : relay;
  const program = runtime === null || nameOf(runtime) !== runtimeName ? null : childOf(runtime);
  if (program === null || pidInside(program) === NO_PID || nameOf(program).startsWith(runtimeName))
    return null;
  return identify(program);
}

/** The number that a process has where it runs; NO_PID where that is the host. */
function pidInside(pid: number): number {
  const numbers = /^NSpid:\t\d+.*\t(\d+)$/m.exec(read(`/proc/${pid}/status`));
  return numbers === null ? NO_PID : Number(numbers[1]);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
