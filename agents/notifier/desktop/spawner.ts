import { homedir } from "node:os";
import { ownAccount } from "../../exec/account.ts";
import { type Program, startProgram } from "../../exec/program.ts";

/** Starts programs on the machine of the displays: this host, or a container. */
export interface Spawner {
  /**
   * Starts a program as the user whose desktop it is, without a shell between. `env` is added to what a login brings;
   * nothing else of the service's environment reaches it.
   *
   * @throws when it cannot be started; a sandbox may also let it end with 127
   */
  spawn(request: SpawnRequest): Program;
}

export interface SpawnRequest {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its stdin; empty by default. */
  readonly input?: Uint8Array<ArrayBuffer>;
}

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** This host, as the user that runs the service. */
export const hostSpawner: Spawner = {
  spawn({ argv, env, input }) {
    return startProgram(argv, { cwd: "/", env: { ...login(), ...env }, input: input ?? null });
  },
};

function login(): Record<string, string> {
  const { name } = ownAccount();
  const runtime = process.env.XDG_RUNTIME_DIR;
  return {
    PATH: process.env.PATH || PATH,
    HOME: homedir(),
    USER: name,
    LOGNAME: name,
    // Arguments are UTF-8, whatever the service was started with.
    LC_ALL: "C.UTF-8",
    ...(runtime ? { XDG_RUNTIME_DIR: runtime } : {}),
  };
}
