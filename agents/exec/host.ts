import { homedir } from "node:os";
import { childOf, identify, nameOf, type ProcessIdentity, signal } from "../../system/process-identity.ts";
import { ownAccount } from "./account.ts";
import { startProgram } from "./program.ts";
import { startOnPty } from "./pty.ts";
import { runShort } from "./short-run.ts";
import type { ExecTarget, PtyProcess, RunRequest, SpawnRequest } from "./target.ts";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** This host, as the user that runs the service, or as another one where that is root. */
export const hostExecTarget: ExecTarget = {
  canBecome: (user) => user === ownAccount().name || process.getuid?.() === 0,

  isProtected: (pid) => pid === process.pid || pid === process.ppid,

  async spawn({ user, argv, env, terminal, start = startOnPty }: SpawnRequest): Promise<PtyProcess> {
    const program = command(user, argv, Object.keys(env), true);
    return whole(await start(program, { cwd: folder(user), env: { ...base(), ...env } }, terminal));
  },

  adopt: (started) => whole(started),

  async run(request) {
    const { argv, options } = withoutTerminal(request);
    return runShort(argv, options, request);
  },

  stream(request, input) {
    const { argv, options } = withoutTerminal(request);
    return startProgram(argv, { ...options, input, stderr: "ignore" });
  },
};

const withoutTerminal = ({ user, argv, env = {} }: RunRequest) => ({
  argv: command(user, argv, Object.keys(env), false),
  options: { cwd: folder(user), env: { ...base(), ...env } },
});

/** `su` has a terminal of its own between: what is on that may not hear of an end, and would outlive it. */
function whole(started: PtyProcess): PtyProcess {
  let program: ProcessIdentity | null = null;
  return {
    pid: started.pid,
    exited: started.exited,
    write: (bytes) => started.write(bytes),
    resize: (cols, rows) => started.resize(cols, rows),
    close() {
      const child = nameOf(started.pid) === "su" ? childOf(started.pid) : null;
      program = child === null ? program : identify(child);
      if (program) started.guard?.([program.pid]);
      started.close();
    },
    kill() {
      if (program) signal(program, "SIGKILL");
      started.kill();
    },
  };
}

/** Everything else in the service's environment is the service's own, secrets among it. */
function base(): Record<string, string> {
  const { name, shell } = ownAccount();
  return {
    PATH: process.env.PATH || PATH,
    HOME: homedir(),
    USER: name,
    LOGNAME: name,
    SHELL: shell,
    LANG: process.env.LANG || "C.UTF-8",
  };
}

const folder = (user: string | null) => (isOther(user) ? "/" : homedir());
const isOther = (user: string | null) => user !== null && user !== ownAccount().name;

/**
 * `su` gives the user's groups and home and, with its own PTY, a terminal that the user owns. What follows `--` is the
 * user and arguments, whatever it looks like.
 */
function command(
  user: string | null,
  argv: readonly string[],
  keep: readonly string[],
  onTerminal: boolean,
): string[] {
  if (user === null || !isOther(user)) return [...argv];
  const kept = keep.length > 0 ? ["-w", keep.join(",")] : [];
  const pty = onTerminal ? ["-P"] : [];
  return ["su", ...pty, "-l", ...kept, "-s", "/bin/sh", "-c", 'exec "$@"', "--", user, "sh", ...argv];
}
