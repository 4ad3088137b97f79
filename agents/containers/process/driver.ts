import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AppliedResources } from "../../../schemas/hosting/container.ts";
import { identify, isRunning, type ProcessIdentity } from "../../../system/process-identity.ts";
import { ownAccount } from "../../exec/account.ts";
import { hostExecTarget } from "../../exec/host.ts";
import { type ProgramResult, runProgram } from "../../exec/program.ts";
import type { ExecTarget, RunRequest } from "../../exec/target.ts";
import type { AddressPool } from "../../network/addresses.ts";
import { type ContainerCommand, InvalidCommand, notFound } from "../command.ts";
import {
  type ContainerDriver,
  ContainerError,
  type ContainerSpec,
  commandOf,
  type RunEnd,
  type StartedInit,
} from "../driver.ts";
import { runEnd, terminate } from "../ending.ts";
import { withVariables } from "../images/launch.ts";
import { appliedResources, DEFAULT_LIMITS, type Limits, limitsFor } from "../limits.ts";
import { LOG_BYTES_MAX, prepareLog } from "../logs/log-files.ts";

/** What containers find in /.berth, as it is called on the host. */
const BUILT_IN: Readonly<Record<string, string>> = {
  "/.berth/bun": process.execPath,
  "/.berth/welcome.ts": join(import.meta.dir, "../welcome.ts"),
};
const WRITE_LOG = join(import.meta.dir, "write-log.pl");
const canBecome = (user: string) => user === ownAccount().name;
/** A container without a command is its init alone: something that waits. */
const IDLE = ["/bin/sh", "-c", "while :; do sleep 86400; done"];

/**
 * Without root, and on macOS: a container is a plain child in a session of its own, in a folder of its own, with
 * an address of the loopback interface where there is more than one. It is not isolated from anything.
 */
export class ProcessDriver implements ContainerDriver {
  readonly kind = "process";
  readonly runtime = null;
  /** Of what this agent started: how it ends, or has ended. */
  readonly #ends = new Map<string, Promise<RunEnd>>();

  constructor(
    readonly addresses: AddressPool | null,
    private readonly limits: Limits = DEFAULT_LIMITS,
  ) {}

  async prepare(): Promise<void> {
    // Nothing of the host has to be changed.
  }

  async repair(): Promise<string[]> {
    return [];
  }

  async release(): Promise<void> {
    // Nothing of the host was changed.
  }

  async create(spec: ContainerSpec): Promise<void> {
    await mkdir(join(spec.folder, "root"), { recursive: true });
  }

  async start(spec: ContainerSpec, record: (init: ProcessIdentity) => Promise<void>): Promise<StartedInit> {
    await this.create(spec);
    const root = join(spec.folder, "root");
    prepareLog(spec.folder);
    const asked = commandOf(spec);
    const command = asked.length > 0 ? asked : IDLE;
    // It waits for a word, so that nothing of the container runs before its process is on record.
    const child = Bun.spawn(
      [
        ...["perl", WRITE_LOG, join(spec.folder, "log"), String(LOG_BYTES_MAX)],
        ...command.map((word) => BUILT_IN[word] ?? word),
      ],
      {
        cwd: root,
        env: this.#environment(spec),
        stdin: "pipe",
        stdout: "ignore",
        stderr: "ignore",
        detached: true,
      },
    );
    child.unref();
    try {
      const init = identify(child.pid);
      if (init === null) throw new ContainerError("the container's process did not come up");
      await record(init);
      child.stdin.write("go\n");
      const ended = child.exited.then((code) => runEnd("its command", code));
      this.#ends.set(spec.id, ended);
      return { init, ended };
    } finally {
      await child.stdin.end();
    }
  }

  #environment(spec: ContainerSpec) {
    return {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: join(spec.folder, "root"),
      LANG: "C.UTF-8",
      HOSTNAME: spec.name,
      BERTH_ADDRESS: spec.address,
      ...Object.fromEntries((spec.env ?? []).map(({ name, value }) => [name, value])),
    };
  }

  async stop(_spec: ContainerSpec, init: ProcessIdentity, graceMs: number): Promise<void> {
    // It leads its session, so its group is all of it that did not leave on purpose.
    await terminate(init, graceMs, -init.pid);
    try {
      process.kill(-init.pid, "SIGKILL");
    } catch {
      // Nobody of the group is left: the usual case.
    }
  }

  async cleanUp(): Promise<void> {
    // A process that has ended leaves nothing.
  }

  async destroy(spec: ContainerSpec): Promise<void> {
    this.#ends.delete(spec.id);
  }

  isRunning(init: ProcessIdentity): boolean {
    return isRunning(init);
  }

  async processes(): Promise<readonly number[]> {
    return [];
  }

  /** What belongs to a container is not known here: its processes are in no group of the kernel's. */
  async usage() {
    return { cpuMicros: null, memoryBytes: null, receivedBytes: null, sentBytes: null };
  }

  /** Its process waits for the word that starts the program; whether that came is not known later. */
  hasBegun(): boolean {
    return true;
  }

  async lastEnd(spec: ContainerSpec): Promise<RunEnd> {
    return this.#ends.get(spec.id) ?? runEnd("its command", null);
  }

  /** Files are measured as everywhere; nothing else is limited. */
  async limit(spec: ContainerSpec): Promise<AppliedResources> {
    const limits = limitsFor(this.limits, spec);
    const bandwidth = limits.bandwidthMbps === null ? [] : (["bandwidth_mbps"] as const);
    return appliedResources(limits, ["cpu_cores", "memory_bytes", ...bandwidth]);
  }

  /** Nothing is isolated: programs run as the agent's own, in the container's folder. */
  execTarget(spec: ContainerSpec, init: () => ProcessIdentity | null): ExecTarget {
    const home = join(spec.folder, "root");
    const own = [`HOME=${home}`, `HOSTNAME=${spec.name}`, `BERTH_ADDRESS=${spec.address}`];
    const variables = withVariables(own, spec.env ?? []);
    const inside = <Request extends RunRequest>(request: Request): Request => {
      const now = init();
      if (now === null || !isRunning(now)) throw new ContainerError("the container does not run");
      if (request.user !== null && !canBecome(request.user)) {
        throw new ContainerError("without isolation everything runs as the agent's own user");
      }
      const argv = [
        "env",
        ...variables,
        "/bin/sh",
        "-c",
        'cd -- "$HOME" && exec "$@"',
        "sh",
        ...request.argv,
      ];
      return { ...request, user: null, argv };
    };
    return {
      canBecome,
      isProtected: hostExecTarget.isProtected,
      spawn: (request) => hostExecTarget.spawn(inside(request)),
      adopt: hostExecTarget.adopt,
      run: async (request) => hostExecTarget.run(inside(request)),
      stream: (request, input) => hostExecTarget.stream(inside(request), input),
    };
  }

  async runCommand(
    spec: ContainerSpec,
    _init: ProcessIdentity,
    { argv, env, user, folder, input, msMax, outputBytesMax, signal }: ContainerCommand,
  ): Promise<ProgramResult> {
    if (user !== null && !canBecome(user))
      throw new InvalidCommand("user", "without isolation everything runs as the agent's own user");
    const cwd = folder ?? join(spec.folder, "root");
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new InvalidCommand("working_directory", `there is no folder ${cwd}`);
    const variables = { ...this.#environment(spec), ...env };
    const [program = "", ...rest] = argv;
    const found = Bun.which(program, { PATH: variables.PATH, cwd });
    if (found === null) return notFound(program);
    const bounds = {
      msMax,
      stdoutBytesMax: outputBytesMax,
      stderrBytesMax: outputBytesMax,
      ...(signal === undefined ? {} : { signal }),
    };
    return runProgram([found, ...rest], { cwd, env: variables, input }, bounds);
  }

  vethEndpoint(): null {
    return null;
  }
}
