import { statSync } from "node:fs";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AppliedResources } from "../../../schemas/hosting/container.ts";
import { identify, isRunning, type ProcessIdentity, signal } from "../../../system/process-identity.ts";
import { LineReader } from "../../exec/line-reader.ts";
import type { ProgramResult } from "../../exec/program.ts";
import type { ExecTarget } from "../../exec/target.ts";
import type { AddressPool } from "../../network/addresses.ts";
import { limitBandwidth } from "../../network/bandwidth.ts";
import { configureLink, createVeth, deleteVeth, HostNetwork, vethOf } from "../../network/host-network.ts";
import type { CommitMonitor } from "../../network/nft/commit-monitor.ts";
import { defaultConnectionLimit } from "../../network/nft/connections.ts";
import type { EgressPolicy } from "../../network/nft/host-rules.ts";
import { limitPart, removePart } from "../../network/part-bandwidth.ts";
import * as cgroup from "../cgroup.ts";
import { usageOf } from "../cgroup-usage.ts";
import type { ContainerCommand } from "../command.ts";
import { createRoot, prepareMountPoints, readRootSource, writeNames } from "../container-files.ts";
import {
  type ContainerDriver,
  ContainerError,
  type ContainerSpec,
  commandOf,
  type RunEnd,
  type StartedInit,
  UnstartableError,
} from "../driver.ts";
import { runEnd, terminate } from "../ending.ts";
import { appliedResources, DEFAULT_LIMITS, type Limits, limitsFor, sliceLimitsFor } from "../limits.ts";
import { LOG_BYTES_MAX, prepareLog } from "../logs/log-files.ts";
import type { RootImages } from "../root-image.ts";
import { limitSlice } from "../slice.ts";
import { interfaceBytes } from "../usage.ts";
import { ociExecTarget } from "./exec-target.ts";
import { IdRanges } from "./id-ranges.ts";
import { planOf } from "./launch-plan.ts";
import { STAGE } from "./places.ts";
import { UNSTARTABLE } from "./plan.ts";
import { plainReason, ReasonReader } from "./reason-reader.ts";
import { runOciCommand } from "./run-command.ts";
import {
  deleteContainer,
  endSupervisor,
  exitStatusOf,
  exitTimeOf,
  forgetRun,
  hasBegun,
  noteSupervisor,
} from "./runtime.ts";
import {
  defaultRuntime,
  type FoundRuntime,
  noteRuntime,
  type OciRuntime,
  runtimeWords,
} from "./runtime-program.ts";

/** How long the supervisor may take for each thing that it says; it is tens of milliseconds. */
const START_MS_MAX = 15_000;
/** The supervisor writes down init's end right after it: later than that, something has ended the supervisor too. */
const LAST_END_MS_MAX = 1_000;
const LAST_END_POLL_MS = 10;
/** The kernel reads the program's file, from a slow disk perhaps. */
const EXEC_MS_MAX = 1_000;
const EXEC_POLL_MS = 2;
/** After SIGKILL only the kernel is in the way. */
const STRAYS_MS_MAX = 5_000;
/** A process id or a reason, and "ready". */
const LINES_BYTES_MAX = 16 * 1024;
const REASON_CHARS_MAX = 300;

const SUPERVISE = join(import.meta.dir, "supervise.sh");
const MAKE_ROOT = join(import.meta.dir, "make-root.ts");

export interface OciOptions {
  /** Where it is noted which user ids are whose: a folder of the agent's. */
  readonly idRanges: string;
  readonly limits?: Limits;
  /** What new containers without an image are made of; null: the host's programs. */
  readonly images?: RootImages | null;
  /** Name servers for containers; none: the host's. */
  readonly dns?: readonly string[];
  /** Networks that containers do not reach. */
  readonly denied?: readonly string[];
  /** How many connections the host keeps track of for a container; by default a share of the kernel's table. */
  readonly connections?: number | undefined;
  /** What makes the containers; by default crun. A container that runs keeps the one that it was started by. */
  readonly runtime?: FoundRuntime;
}

/** Linux, as root: each container by an OCI runtime, crun unless told, with a user namespace of its own. */
export class OciDriver implements ContainerDriver {
  readonly kind = "oci";
  readonly runtime: string;
  readonly #network: HostNetwork;
  #repairing: Promise<string[]> | null = null;
  #released = false;

  readonly #ids: IdRanges;
  readonly #limits: Limits;
  readonly #images: RootImages | null;
  readonly #egress: EgressPolicy;
  readonly #runtime: OciRuntime;
  /** The bandwidth of each link that is known: not of one that an earlier agent made. */
  readonly #links = new Map<string, number | null>();
  /** The same of the sum that a part of the host has. */
  readonly #partLinks = new Map<string, number | null>();

  constructor(
    readonly addresses: AddressPool,
    {
      idRanges,
      limits = DEFAULT_LIMITS,
      images = null,
      dns = [],
      denied = [],
      connections,
      runtime,
    }: OciOptions,
  ) {
    this.#network = new HostNetwork(addresses.subnet);
    this.#ids = new IdRanges(idRanges);
    this.#limits = limits;
    this.#images = images;
    this.#runtime = runtime ?? defaultRuntime();
    this.runtime = `${this.#runtime.name} ${runtime?.version ?? ""}`.trim();
    this.#egress = { dns, denied, connections: connections ?? defaultConnectionLimit() };
  }

  async prepare(): Promise<void> {
    this.#released = false;
    this.#images?.prepare();
    await mkdir(STAGE, { recursive: true, mode: 0o755 });
    // What is as it should be stays, with the connections that it has counted.
    await this.#repair();
  }

  async repair(monitor?: CommitMonitor): Promise<string[]> {
    if (this.#released) return [];
    this.#repairing ??= this.#repair(monitor).finally(() => {
      this.#repairing = null;
    });
    return this.#repairing;
  }

  async release(): Promise<void> {
    this.#released = true;
    // It would put back what is removed here.
    await this.#repairing?.catch(() => []);
    await this.#network.release();
  }

  async create(spec: ContainerSpec): Promise<void> {
    const firstId = await this.#ids.claim(spec.id);
    await createRoot(spec, () => this.#images?.current() ?? null, firstId);
    const { uid } = await lstat(join(spec.folder, "root"));
    if (uid !== firstId)
      throw new ContainerError("its files belong to other user ids than it has: it must be made again");
  }

  async start(spec: ContainerSpec, record: (init: ProcessIdentity) => Promise<void>): Promise<StartedInit> {
    await this.cleanUp(spec);
    await forgetRun(spec);
    prepareLog(spec.folder);
    await writeNames(spec, this.addresses.gateway);
    const firstId = await this.#ids.claim(spec.id);
    await prepareMountPoints(spec, await readRootSource(spec), firstId);
    const plan = await planOf(spec, firstId, this.#limitsOf(spec), this.#images, this.#runtime.name);
    await noteRuntime(spec, this.#runtime);
    await writeFile(join(spec.folder, "plan.json"), JSON.stringify(plan), { mode: 0o600 });

    const child = this.#spawnSupervisor(spec);
    const supervisor = identify(child.pid);
    const lines = new LineReader(child.stdout, LINES_BYTES_MAX);
    const reasons = new ReasonReader(child.stderr);
    try {
      if (supervisor === null) throw new ContainerError("its supervisor did not come up");
      await noteSupervisor(spec, supervisor);
      child.stdin.write("make\n");
      await child.stdin.flush();
      const init = await madeInit(await nextLine(lines), reasons);
      const runtime = programOf(init);
      await record(init);
      const { gateway } = this.addresses;
      await createVeth(vethOf(spec.id), spec.address, gateway, init.pid);
      await configureLink(spec.address, gateway, init.pid);
      await this.#limitTenant(spec);
      this.#links.set(spec.id, null);
      this.#partLinks.set(spec.id, null);
      await this.#limitLink(spec, init.pid);
      child.stdin.write("go\n");
      await child.stdin.flush();
      if ((await nextLine(lines)) !== "ready")
        throw new ContainerError(`its program could not be started: ${await reasons.last()}`);
      await untilProgramRuns(init, runtime);
      return { init, ended: child.exited };
    } catch (error) {
      // What waits for its "go" ends with stdin; what does not is stopped like a stray.
      await child.stdin.end();
      await this.cleanUp(spec);
      throw error;
    } finally {
      await child.stdin.end();
      lines.close();
      reasons.close();
      child.unref();
    }
  }

  async stop(spec: ContainerSpec, init: ProcessIdentity, graceMs: number): Promise<void> {
    await terminate(init, graceMs, init.pid, spec.stopSignal ?? "SIGTERM");
    await this.#exitStatus(spec);
    await this.cleanUp(spec);
  }

  async destroy(spec: ContainerSpec): Promise<void> {
    await this.cleanUp(spec);
    await this.#ids.release(spec.id);
  }

  isRunning(init: ProcessIdentity): boolean {
    return isRunning(init);
  }

  processes(spec: ContainerSpec): Promise<readonly number[]> {
    return cgroup.members(cgroup.groupOf(spec));
  }

  async usage(spec: ContainerSpec) {
    const [group, link] = await Promise.all([usageOf(cgroup.groupOf(spec)), interfaceBytes(vethOf(spec.id))]);
    // What the host's end of the link receives is what the container sends.
    return { ...group, receivedBytes: link.sentBytes, sentBytes: link.receivedBytes };
  }

  hasBegun(spec: ContainerSpec): boolean {
    return hasBegun(spec);
  }

  async lastEnd(spec: ContainerSpec): Promise<RunEnd> {
    const isCommand = commandOf(spec).length > 0 || (await readRootSource(spec)).kind === "layers";
    const what = isCommand ? "its command" : "its init";
    const status = await this.#exitStatus(spec);
    if (status === null) return runEnd(what, null);
    const killed = await cgroup.outOfMemoryKills(cgroup.groupOf(spec));
    // 0: a process was ended that the command could do without.
    return runEnd(what, status, killed > 0 && status !== 0, await exitTimeOf(spec));
  }

  async limit(spec: ContainerSpec): Promise<AppliedResources> {
    const limits = this.#limitsOf(spec);
    const refused = await this.#limitTenant(spec);
    const unenforced = await cgroup.changeLimits(cgroup.groupOf(spec), limits);
    // A group cannot have less than one below it: where limits shrink, those below come first.
    if (refused.length > 0) await this.#limitTenant(spec);
    const [pid] = await this.processes(spec);
    const hasLink = pid === undefined || (await this.#limitLink(spec, pid));
    return appliedResources(limits, [...unenforced, ...(hasLink ? [] : (["bandwidth_mbps"] as const))]);
  }

  /** @returns the controllers that refused */
  async #limitTenant(spec: ContainerSpec): Promise<string[]> {
    if (spec.tenant === undefined) return [];
    return limitSlice(spec.tenant, sliceLimitsFor(this.#limits, spec), spec.folder);
  }

  /**
   * Holds its link to its bandwidth, unless it has that already.
   *
   * @param pid of any of its processes: all are in its network
   * @returns whether it is so
   */
  async #limitLink(spec: ContainerSpec, pid: number): Promise<boolean> {
    const { bandwidthMbps } = this.#limitsOf(spec);
    if (this.#links.get(spec.id) !== bandwidthMbps) {
      if (!(await limitBandwidth(vethOf(spec.id), pid, bandwidthMbps))) return false;
      this.#links.set(spec.id, bandwidthMbps);
    }
    return this.#limitPartLink(spec);
  }

  async #limitPartLink(spec: ContainerSpec): Promise<boolean> {
    const { id, tenant, isPart = false, serverResources } = spec;
    if (!isPart || tenant === undefined) return true;
    const mbps = serverResources?.bandwidth_mbps ?? null;
    if (this.#partLinks.get(id) === mbps) return true;
    const isLimited = await limitPart(tenant, vethOf(id), mbps);
    if (isLimited) this.#partLinks.set(id, mbps);
    return isLimited;
  }

  #limitsOf(spec: ContainerSpec): Limits {
    return limitsFor(this.#limits, spec);
  }

  execTarget(spec: ContainerSpec, init: () => ProcessIdentity | null): ExecTarget {
    return ociExecTarget(spec, this.#limitsOf(spec), () => {
      const now = init();
      return now !== null && isRunning(now) ? now : null;
    });
  }

  runCommand(spec: ContainerSpec, init: ProcessIdentity, command: ContainerCommand): Promise<ProgramResult> {
    return runOciCommand(spec, this.#limitsOf(spec), init, command);
  }

  vethEndpoint(spec: ContainerSpec) {
    return { veth: vethOf(spec.id), address: spec.address, edge: this.addresses.edge };
  }

  async #repair(monitor?: CommitMonitor): Promise<string[]> {
    const changed = await this.#network.differences(this.#egress, monitor);
    if (changed.length > 0) await this.#network.prepare(this.#egress);
    return changed;
  }

  #spawnSupervisor(spec: ContainerSpec) {
    return Bun.spawn(
      [
        ...["unshare", "--mount", "--propagation", "private", "--", "/bin/sh", SUPERVISE],
        ...[spec.folder, spec.id, process.execPath, MAKE_ROOT, String(LOG_BYTES_MAX)],
        ...runtimeWords(spec, this.#runtime),
      ],
      // A session of its own: the container outlives the agent, its terminal and its process group.
      {
        cwd: "/",
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
      },
    );
  }

  /** As a shell reports it; null when it is not known, since the supervisor was ended too. */
  async #exitStatus(spec: ContainerSpec): Promise<number | null> {
    const limit = performance.now() + LAST_END_MS_MAX;
    for (;;) {
      const status = await exitStatusOf(spec);
      if (status !== null || performance.now() > limit) return status;
      await Bun.sleep(LAST_END_POLL_MS);
    }
  }

  /** Ends whatever still runs of it, too. The mounts have gone with their namespace. */
  async cleanUp(spec: ContainerSpec): Promise<void> {
    await endSupervisor(spec);
    const group = cgroup.groupOf(spec);
    const limit = performance.now() + STRAYS_MS_MAX;
    for (let strays = await cgroup.members(group); strays.length > 0; strays = await cgroup.members(group)) {
      if (performance.now() > limit) throw new ContainerError("its processes do not end");
      for (const pid of strays) {
        const stray = identify(pid);
        if (stray) signal(stray, "SIGKILL");
      }
      await Bun.sleep(LAST_END_POLL_MS);
    }
    await deleteContainer(spec);
    this.#links.delete(spec.id);
    this.#partLinks.delete(spec.id);
    await deleteVeth(vethOf(spec.id));
    await cgroup.removeGroup(group);
    if (spec.isPart && spec.tenant !== undefined && !(await cgroup.mayBeUsed(spec.tenant)))
      await removePart(spec.tenant);
  }
}

/** The runtime says "started" a moment before its process becomes the program. Until then nothing can join it: EPERM. */
async function untilProgramRuns(init: ProcessIdentity, runtime: string): Promise<void> {
  const limit = performance.now() + EXEC_MS_MAX;
  while (programOf(init) === runtime && performance.now() < limit) await Bun.sleep(EXEC_POLL_MS);
}

/** Identifies the file that a process runs; empty for one that has ended. */
function programOf({ pid }: ProcessIdentity): string {
  const file = statSync(`/proc/${pid}/exe`, { throwIfNoEntry: false });
  return file === undefined ? "" : `${file.dev}:${file.ino}`;
}

/** From what the supervisor says of the runtime: `{"data": pid}`, or with the reason `{"data": -1, "message": …}`. */
async function madeInit(line: string, reasons: ReasonReader): Promise<ProcessIdentity> {
  const { data, message } = parse(line);
  const init = data > 1 ? identify(data) : null;
  if (init !== null) return init;
  const reason = plainReason(message) || (await reasons.last()) || "no answer in time";
  if (reason.startsWith(UNSTARTABLE)) throw new UnstartableError(reason);
  throw new ContainerError(`it could not be made: ${reason}`);
}

function parse(line: string): { data: number; message: string } {
  try {
    const { data, message } = JSON.parse(line) as { data?: unknown; message?: unknown };
    return {
      data: Number(data ?? -1),
      message: String(message ?? "")
        .trim()
        .slice(0, REASON_CHARS_MAX),
    };
  } catch {
    return { data: -1, message: "" };
  }
}

/** The next line; the empty text when there is none in time. */
async function nextLine(lines: LineReader): Promise<string> {
  const timer = setTimeout(() => lines.close(), START_MS_MAX);
  const line = await lines.next().catch(() => null);
  clearTimeout(timer);
  return line ?? "";
}
