import { join } from "node:path";
import { readShellScript } from "../../exec/shell-script.ts";
import { describeBound } from "../../exec/short-run.ts";
import type { ExecTarget } from "../../exec/target.ts";
import { ParameterError } from "../parameters/parse.ts";
import { type ProcessEvents, type ProcessStarter, type StartProcess, startPty } from "../session/process.ts";
import type { ShownProcess } from "../session/record.ts";
import type { Session } from "../session/session.ts";
import type { Prepared } from "../session/sessions.ts";

const LOOK = readShellScript(join(import.meta.dir, "look.sh"));

/** The time limit for reptyr, which stops the process, moves its terminal and continues it within milliseconds. */
const ATTACH_MS_MAX = 5_000;
const POLL_MS = 50;
/** With -T the process shows no sign of success, but reptyr ends at once when it fails. */
const STEADY_MS = 500;
/** The beginning of reptyr's output, which has the reason of a failure. */
const SAID_CHARS_MAX = 8 * 1024;

interface Process extends ShownProcess {
  readonly uid: number;
  readonly ownUid: number;
  /** The process, its parent, and so on. */
  readonly chain: readonly ShownProcess[];
  /** Whether it leads a session, as a shell does. */
  readonly isLeader: boolean;
  readonly terminal: string;
}

/**
 * Attaches to a running process, as the requesting user (container services §3).
 *
 * @throws ParameterError when it cannot be attached to; nothing of it was changed
 */
export async function preparePid(
  pid: number,
  user: string | null,
  target: ExecTarget,
  sessions: readonly Session[],
  holder: ProcessStarter | null,
): Promise<Prepared> {
  const refuse = (reason: string): never => {
    throw new ParameterError("pid", reason);
  };
  const found = await inspectProcess(target, user, pid);
  // The same reply for a missing process and for another user's.
  if (found === null || found.uid !== found.ownUid) return refuse("is no process of yours");
  if (pid === 1 || target.isProtected(pid)) return refuse("is a process of this service");
  const description = `process ${pid}`;
  const existing = whichShows(found, sessions);
  if (existing !== undefined) return { start: () => refuse("is shown already"), description, existing };
  const installed = await target.run({ user, argv: ["/bin/sh", "-c", "command -v reptyr"] });
  if (installed.boundMet !== null)
    return refuse(`cannot be attached to: a program of the machine: ${describeBound(installed)}`);
  if (installed.code !== 0) return refuse("cannot be attached to: reptyr is not installed");
  const shown = { pid, startTime: found.startTime };
  return { start: attach(pid, user, target, found, holder), description, shown };
}

/**
 * The session that shows a process: the nearest one, since a process that was taken from another session has its own.
 */
function whichShows({ chain }: Process, sessions: readonly Session[]): Session | undefined {
  for (const { pid, startTime } of chain) {
    const found = sessions.find(
      // A process that was attached by reptyr is not its descendant.
      ({ pid: own, shown }) => own === pid || (shown?.pid === pid && shown.startTime === startTime),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

const attach =
  (
    pid: number,
    user: string | null,
    target: ExecTarget,
    before: Process,
    holder: ProcessStarter | null,
  ): StartProcess =>
  async (size, events, record) => {
    const now = await inspectProcess(target, user, pid);
    if (now?.startTime !== before.startTime) throw new ParameterError("pid", "has ended");
    let said = "";
    let ended: Parameters<ProcessEvents["exited"]>[0] | null = null;
    let isAttached = false;
    const argv = ["reptyr", ...(before.isLeader ? ["-T"] : []), String(pid)];
    const start = startPty(target, { user, argv, env: { TERM: "xterm-256color" } }, holder);
    const heard: ProcessEvents = {
      ...events,
      output(bytes) {
        if (!isAttached && said.length < SAID_CHARS_MAX) {
          said += Buffer.from(bytes.subarray(0, SAID_CHARS_MAX)).toString();
        }
        events.output(bytes);
      },
      exited(exit) {
        ended = exit;
        if (isAttached) events.exited(exit);
      },
    };
    const child = await start(size, heard, record);
    const startedAt = performance.now();
    while (!isAttached) {
      const elapsed = performance.now() - startedAt;
      if (ended !== null || elapsed > ATTACH_MS_MAX) {
        child.end();
        throw new ParameterError("pid", `cannot be attached to${reasonIn(said)}`);
      }
      const { terminal } = (await inspectProcess(target, user, pid).catch(() => null)) ?? before;
      isAttached = before.isLeader ? elapsed > STEADY_MS : isMoved(before.terminal, terminal);
      if (!isAttached) await Bun.sleep(POLL_MS);
    }
    if (ended !== null) events.exited(ended);
    return child;
  };

/** Whether the process has moved to another terminal; a missing terminal does not count. */
const isMoved = (before: string, now: string) => /^\/dev\/[\w/]+$/.test(now) && now !== before;

function reasonIn(said: string): string {
  const line = said.split(/[\r\n]+/).find((one) => /unable|cannot|denied|permitted/i.test(one));
  return line === undefined ? "" : `: ${line.replace(/[\p{Cc}]/gu, "").slice(0, 200)}`;
}

async function inspectProcess(target: ExecTarget, user: string | null, pid: number): Promise<Process | null> {
  const looked = await target.run({ user, argv: ["/bin/sh", "-c", LOOK, "sh", String(pid)] });
  if (looked.boundMet !== null)
    throw new ParameterError(
      "pid",
      `cannot be looked at: a program of the machine: ${describeBound(looked)}`,
    );
  const { code, stdout } = looked;
  if (code !== 0) return null;
  const [uid = "", ownUid = "", startTime = "", leader = "", terminal = "", chain = ""] = stdout.split("\n");
  return {
    pid,
    uid: Number(uid),
    ownUid: Number(ownUid),
    startTime,
    isLeader: Number(leader) === pid,
    terminal,
    chain: chain.split(" ").map((one) => {
      const [number, started = ""] = one.split("/");
      return { pid: Number(number), startTime: started };
    }),
  };
}
