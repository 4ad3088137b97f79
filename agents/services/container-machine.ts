import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { Machine as DesktopMachine } from "../notifier/desktop/machine.ts";
import { spawnOnPty } from "../terminal/process/host.ts";
import type { Machine, PtyProcess, RunRequest, SpawnRequest } from "../terminal/process/machine.ts";

const INSIDE = readFileSync(join(import.meta.dir, "inside.sh"), "utf8");
/** Looking up users, folders and programs takes milliseconds; past this the container stands still. */
const RUN_MS_MAX = 10_000;
/** Entering is a few short programs of the host. */
const ENTER_MS_MAX = 10_000;
const ENTER_POLL_MS = 2;
const ENVIRONMENT = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" };
/** What a terminal's requests hand over before they have changed to a container and a user; nothing that a loader would listen to. */
const HARMLESS = /^(TERM|BERTH_LAUNCH_(\d+|COUNT))$/;

/** How programs get into a container: the command line before theirs. */
export interface Entrance {
  /** Whether it is a world of its own, with users and process numbers of its own; else a folder of this host. */
  readonly isolated: boolean;
  /** @throws Error when the container does not run */
  enter(terminal: boolean): Promise<readonly string[]>;
}

/** A container as the place of programs. */
export function containerMachine({ isolated, enter }: Entrance): Machine {
  const inside = ({ user, argv }: RunRequest) =>
    isolated ? ["/bin/sh", "-c", INSIDE, "sh", user ?? "root", ...argv] : [...argv];
  // Without isolation nobody becomes another user of the host.
  const owned = ({ user }: RunRequest) => isolated || user === null || user === userInfo().username;
  const start = async (request: RunRequest) => {
    if (!owned(request)) throw new Error(`no program can be started as ${request.user}`);
    return [...(await enter(false)), ...inside(request)];
  };
  return {
    canBecome: (user) => isolated || user === userInfo().username,
    isProtected: (pid) => pid === 1 || (!isolated && (pid === process.pid || pid === process.ppid)),

    async spawn(request: SpawnRequest): Promise<PtyProcess> {
      if (!owned(request)) throw new Error(`no program can be started as ${request.user}`);
      const env = Object.entries(request.env).filter(([name]) => HARMLESS.test(name));
      const child = spawnOnPty([...(await enter(true)), ...inside(request)], {
        cwd: "/",
        env: { ...ENVIRONMENT, ...Object.fromEntries(env) },
        terminal: request.terminal,
      });
      if (!isolated) return child;
      const inner = await innerProcess(child);
      return {
        ...child,
        pid: inner.inside,
        kill() {
          kill(inner.outside);
          child.kill();
        },
      };
    },

    async run(request) {
      const child = Bun.spawn(await start(request), {
        cwd: "/",
        env: ENVIRONMENT,
        stdio: ["ignore", "pipe", "ignore"],
        timeout: RUN_MS_MAX,
        killSignal: "SIGKILL",
      });
      const stdout = await new Response(child.stdout).text();
      return { code: await child.exited, stdout };
    },

    stream: (request, input) => started(start(request), input, "ignore"),
  };
}

/** A container as the place of displays: programs run as its root, whose desktop it is. */
export function containerDesktop({ isolated, enter }: Entrance): DesktopMachine {
  return {
    spawn({ argv, env = {}, input }) {
      const variables = Object.entries({ LC_ALL: "C.UTF-8", ...env }).map(
        ([name, value]) => `${name}=${value}`,
      );
      const program = ["/usr/bin/env", ...variables, ...argv];
      const inside = isolated ? ["/bin/sh", "-c", INSIDE, "sh", "root", ...program] : program;
      return started(
        enter(false).then((way) => [...way, ...inside]),
        input ?? null,
        "pipe",
      );
    },
  };
}

const NOTHING = () => new Blob([]).stream();

/** A program that begins when the way to it is known; until then its streams are silent. */
function started(
  command: Promise<readonly string[]>,
  input: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  stderr: "pipe" | "ignore",
) {
  const starting = command.then((argv) =>
    Bun.spawn([...argv], {
      cwd: "/",
      env: ENVIRONMENT,
      stdin: input ?? "ignore",
      stdout: "pipe",
      stderr,
      // A process group of its own, also as this host sees it: whatever it started in the container ends with it.
      detached: true,
    }),
  );
  const end = ({ pid }: { pid: number }) => kill(-pid);
  const passed = (name: "stdout" | "stderr") => {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    starting.then(
      // Who stops reading ends it.
      (child) => (child[name] ?? NOTHING()).pipeTo(writable).catch(() => end(child)),
      (error) => writable.abort(error).catch(() => undefined),
    );
    return readable;
  };
  const exited = starting.then((child) => child.exited);
  exited.catch(() => undefined);
  return {
    stdout: passed("stdout"),
    stderr: passed("stderr"),
    exited,
    kill: () => void starting.then(end).catch(() => undefined),
  };
}

/** The program itself, a child of what entered for it: its number on this host, and where it is. */
async function innerProcess(child: PtyProcess): Promise<{ outside: number; inside: number }> {
  let hasEnded = false;
  void child.exited.then(() => {
    hasEnded = true;
  });
  for (const limit = performance.now() + ENTER_MS_MAX; performance.now() < limit && !hasEnded; ) {
    const children = readOr(`/proc/${child.pid}/task/${child.pid}/children`).trim();
    const status = children === "" ? "" : readOr(`/proc/${children}/status`);
    const inside = Number(/^NSpid:.*\t(\d+)$/m.exec(status)?.[1]);
    if (inside > 0) return { outside: Number(children), inside };
    await Bun.sleep(ENTER_POLL_MS);
  }
  child.kill();
  throw new Error("the container could not be entered");
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
