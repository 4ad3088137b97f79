import { userInfo } from "node:os";

/** Where displays are: this machine, or a container that the agent's sandbox enters. */
export interface Machine {
  /**
   * Starts a program as the user whose desktop it is, without a shell between. `env` is added to what a login brings;
   * nothing else of the service's environment reaches it.
   *
   * @throws when it cannot be started; a sandbox may also let it end with 127
   */
  spawn(request: SpawnRequest): RunningProgram;
}

export interface SpawnRequest {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads; nothing unless told. */
  readonly input?: Uint8Array<ArrayBuffer>;
}

export interface RunningProgram {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Its code; anything but 0 when it was killed. */
  readonly exited: Promise<number>;
  /** Ends it and whatever it started, at once. */
  kill(): void;
}

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** This host, as the user that runs the service. */
export const hostMachine: Machine = {
  spawn({ argv, env, input }) {
    const child = Bun.spawn([...argv], {
      env: { ...login(), ...env },
      cwd: "/",
      stdin: input ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
      // A process group of its own, so that nothing it started is left when it is killed.
      detached: true,
    });
    return {
      stdout: child.stdout,
      stderr: child.stderr,
      exited: child.exited,
      kill() {
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // The whole group has ended.
        }
      },
    };
  },
};

function login(): Record<string, string> {
  const { username, homedir } = userInfo();
  const runtime = process.env.XDG_RUNTIME_DIR;
  return {
    PATH: process.env.PATH || PATH,
    HOME: process.env.HOME || homedir,
    USER: username,
    LOGNAME: username,
    // Arguments are UTF-8, whatever the service was started with.
    LC_ALL: "C.UTF-8",
    ...(runtime ? { XDG_RUNTIME_DIR: runtime } : {}),
  };
}
