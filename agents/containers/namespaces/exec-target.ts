import { readFileSync } from "node:fs";
import { join } from "node:path";
import { childOf, identify, nameOf, type ProcessIdentity, signal } from "../../../system/process-identity.ts";
import { startProgram } from "../../exec/program.ts";
import { startOnPty } from "../../exec/pty.ts";
import { readShellScript } from "../../exec/shell-script.ts";
import { runShort } from "../../exec/short-run.ts";
import type { ExecTarget, PtyProcess, RunRequest, SpawnRequest } from "../../exec/target.ts";
import { ContainerError } from "../driver.ts";
import { filtered } from "./syscall-filter.ts";

const JOIN = join(import.meta.dir, "join.sh");
const BECOME = readShellScript(join(import.meta.dir, "become.sh"));
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Everything else in the agent's environment is the agent's own. */
const ENVIRONMENT = { PATH, LANG: "C.UTF-8" };

/** A program is started within tens of milliseconds. */
const START_MS_MAX = 5_000;
const START_POLL_MS = 5;
/** Time for a program to clean up after its terminal was closed. */
const END_MS_MAX = 5_000;
/** Stands for the process id of a program that ended before it was found; no process has it. */
const NO_PID = -1;

const USER = /^[a-z0-9_][a-z0-9_.-]{0,31}\$?$/i;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What is needed to run a program in a container. */
export interface ExecContext {
  /** Its init now; null while it does not run. */
  init(): ProcessIdentity | null;
  readonly boundingSet: string;
  /** Of each process, as prlimit takes them. */
  readonly limits: readonly string[];
  /** The files that take a process into the container's groups of limits. */
  groups(): readonly string[];
}

/** Runs programs in a container, across its restarts: for terminals and for file transfers. */
export function containerExecTarget(context: ExecContext): ExecTarget {
  const enterCommand = ({ user, argv, env = {} }: RunRequest, kind: "terminal" | "stdin" | "") => {
    const init = context.init();
    if (init === null) throw new ContainerError("the container does not run");
    const name = user ?? "root";
    if (!USER.test(name)) throw new ContainerError(`not a user's name: ${JSON.stringify(name)}`);
    const variables = Object.entries(env);
    const wrong = variables.find(([variable]) => !VARIABLE.test(variable));
    if (wrong) throw new ContainerError(`not a variable's name: ${JSON.stringify(wrong[0])}`);
    const groups = context.groups();
    const command = filtered([
      ...["/bin/sh", JOIN, String(init.pid), context.boundingSet, context.limits.join(" "), name, BECOME],
      ...[kind === "stdin" ? kind : "", String(groups.length), ...groups],
      ...(kind === "terminal" ? [kind, argv.map(shellQuoted).join(" ")] : ["", ...argv]),
    ]);
    return { command, options: { cwd: "/", env: { ...ENVIRONMENT, ...encodeVariables(variables) } } };
  };

  return {
    canBecome: () => true,
    isProtected: (pid) => pid === 1,

    async spawn(request: SpawnRequest): Promise<PtyProcess> {
      const { command, options } = enterCommand(request, "terminal");
      const { start = startOnPty } = request;
      const outer = await start(command, options, request.terminal);
      const found = await awaitTerminalProcesses(outer);
      // They run on the container's own terminal: the end of the held one does not end them.
      if (found) outer.guard?.([found.relay.pid, found.program.pid]);
      return asSeenInside(outer, found);
    },

    adopt: (started) => asSeenInside(started, findTerminalProcesses(started.pid)),

    async run(request) {
      const { command, options } = enterCommand(request, "");
      return runShort(command, options, request);
    },

    stream(request, input) {
      const { command, options } = enterCommand(request, input === null ? "" : "stdin");
      return startProgram(command, { ...options, input, stderr: "ignore" });
    },
  };
}

/**
 * Variables for become.sh: not as arguments, which the whole host and container can read, and under names that mean nothing to the host's
 * programs that come before it, as root.
 */
function encodeVariables(variables: readonly (readonly [string, string])[]): Record<string, string> {
  const entries = variables.map(([name, value], at) => [`BERTH_ENTER_${at}`, `${name}=${value}`]);
  return { ...Object.fromEntries(entries), BERTH_ENTER_COUNT: String(entries.length) };
}

/** Of a program on a terminal: the process that relays between its terminal and the host's, and its own. */
interface TerminalProcesses {
  readonly relay: ProcessIdentity;
  readonly program: ProcessIdentity;
}

/** A program on a terminal as those see it who are with it in the container. */
const asSeenInside = (outer: PtyProcess, found: TerminalProcesses | null): PtyProcess => ({
  pid: found === null ? NO_PID : pidInside(found.program.pid),
  exited: outer.exited,
  write: (bytes) => outer.write(bytes),
  resize: (cols, rows) => outer.resize(cols, rows),
  close() {
    outer.close();
    if (found === null) return;
    // The relay holds the inner terminal: its end hangs up every program there. A program that ignores the hang-up is killed later.
    signal(found.relay, "SIGKILL");
    setTimeout(() => signal(found.program, "SIGKILL"), END_MS_MAX).unref();
  },
  kill() {
    for (const one of found ? [found.program, found.relay] : []) signal(one, "SIGKILL");
    outer.kill();
  },
});

async function awaitTerminalProcesses(outer: PtyProcess): Promise<TerminalProcesses | null> {
  let isOver = false;
  void outer.exited.then(() => {
    isOver = true;
  });
  const limit = performance.now() + START_MS_MAX;
  while (!isOver && performance.now() < limit) {
    const found = findTerminalProcesses(outer.pid);
    if (found !== null) return found;
    await Bun.sleep(START_POLL_MS);
  }
  return null;
}

function findTerminalProcesses(outer: number): TerminalProcesses | null {
  const relay = childOf(outer);
  const program = relay === null || nameOf(relay) !== "script" ? null : childOf(relay);
  const found = { relay: relay && identify(relay), program: program && identify(program) };
  return found.relay && found.program ? { relay: found.relay, program: found.program } : null;
}

/** The number that a process has where it runs. */
function pidInside(pid: number): number {
  const numbers = /^NSpid:.*\t(\d+)$/m.exec(read(`/proc/${pid}/status`));
  return numbers === null ? NO_PID : Number(numbers[1]);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** For a shell: as it is, whatever is in it. */
const shellQuoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
