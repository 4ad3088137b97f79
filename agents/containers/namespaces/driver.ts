import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { which } from "bun";
import { identify, isRunning, type ProcessIdentity, signal } from "../../../system/process-identity.ts";
import { LineReader } from "../../exec/line-reader.ts";
import type { ExecTarget } from "../../exec/target.ts";
import type { AddressPool } from "../../network/addresses.ts";
import { createVeth, deleteVeth, HostNetwork, vethOf } from "../../network/host-network.ts";
import { defaultConnectionLimit } from "../../network/nft/connections.ts";
import type { EgressPolicy } from "../../network/nft/host-rules.ts";
import * as cgroup from "../cgroup.ts";
import {
  createRoot,
  prepareMountPoints,
  type RootSource,
  readRootSource,
  writeNames,
} from "../container-files.ts";
import {
  type ContainerDriver,
  ContainerError,
  type ContainerSpec,
  type StartedInit,
  UnstartableError,
} from "../driver.ts";
import { describeExit, terminate } from "../ending.ts";
import { launchOf } from "../images/launch.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { LOG_BYTES_MAX } from "../log.ts";
import { processLimits } from "../process-limits.ts";
import type { RootImages } from "../root-image.ts";
import { containerExecTarget } from "./exec-target.ts";
import { filtered, isFiltered } from "./syscall-filter.ts";

/**
 * Docker's default capabilities, without MKNOD: no device group stands between a device node and the host's disk
 * here. They hold within the container's namespaces; none leads out of them.
 */
const CAPABILITIES = [
  "audit_write",
  "chown",
  "dac_override",
  "fowner",
  "fsetid",
  "kill",
  "net_bind_service",
  "net_raw",
  "setfcap",
  "setgid",
  "setpcap",
  "setuid",
  // Out of a chroot a program may make user namespaces, unless the filter forbids it.
  ...(isFiltered ? ["sys_chroot"] : []),
];
const BOUNDING_SET = ["-all", ...CAPABILITIES.map((name) => `+${name}`)].join(",");
/** How long enter.sh and init.sh may take for each thing that they say; it is tens of milliseconds. */
const ENTER_MS_MAX = 15_000;
/** keep.sh writes down init's end right after it: later than that, something has ended keep.sh too. */
const LAST_END_MS_MAX = 1_000;
const LAST_END_POLL_MS = 10;
/** A process id, and "ready". */
const LINES_BYTES_MAX = 1_024;
/** Of a log, the end that holds its last line. */
const LOG_TAIL_BYTES = 4_096;

export interface NamespacesOptions {
  readonly limits?: Limits;
  /** What new containers are made of; null: the host's programs. */
  readonly images?: RootImages | null;
  /** Name servers for containers; none: the host's. */
  readonly dns?: readonly string[];
  /** Networks that containers do not reach. */
  readonly denied?: readonly string[];
  /** How many connections the host keeps track of for a container; by default a share of the kernel's table. */
  readonly connections?: number | undefined;
}

interface Beneath {
  /** What enter.sh takes for what the root is made of. */
  readonly root: string;
  /** The script that becomes init, and what it takes. */
  readonly init: string;
  readonly words: readonly string[];
}

const script = (name: string) => join(import.meta.dir, name);

/** Linux, as root: each container in pid, mount, uts, ipc and network namespaces of its own. */
export class NamespacesDriver implements ContainerDriver {
  readonly kind = "namespaces";
  readonly #network: HostNetwork;
  #repairing: Promise<string[]> | null = null;
  #released = false;

  readonly #limits: Limits;
  readonly #images: RootImages | null;
  readonly #egress: EgressPolicy;

  constructor(
    readonly addresses: AddressPool,
    { limits = DEFAULT_LIMITS, images = null, dns = [], denied = [], connections }: NamespacesOptions = {},
  ) {
    this.#network = new HostNetwork(addresses.subnet);
    this.#limits = limits;
    this.#images = images;
    this.#egress = { dns, denied, connections: connections ?? defaultConnectionLimit() };
  }

  async prepare(): Promise<void> {
    this.#released = false;
    this.#images?.prepare();
    // What is as it should be stays, with the connections that it has counted.
    await this.#repair();
  }

  async repair(): Promise<string[]> {
    if (this.#released) return [];
    this.#repairing ??= this.#repair().finally(() => {
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

  create(spec: ContainerSpec): Promise<void> {
    return createRoot(spec, () => this.#images?.current() ?? null);
  }

  async start(spec: ContainerSpec, record: (init: ProcessIdentity) => Promise<void>): Promise<StartedInit> {
    await this.#cleanUp(spec);
    const source = await readRootSource(spec);
    await prepareMountPoints(spec, source);
    await writeNames(spec, this.#egress.dns);

    const child = this.#spawnInit(spec, await this.#beneath(spec, source));
    const lines = new LineReader(child.stdout, LINES_BYTES_MAX);
    try {
      const init = identify(Number(await nextLine(lines)));
      if (init === null) throw new ContainerError(`init did not come up: ${await lastLine(spec)}`);
      await record(init);
      await cgroup.confine(spec.id, init.pid, this.#limits);
      await createVeth(vethOf(spec.id), spec.address, this.addresses.gateway, init.pid);
      child.stdin.write("go\n");
      await child.stdin.flush();
      if ((await nextLine(lines)) !== "ready") throw await startFailure(spec);
      return { init, ended: child.exited };
    } catch (error) {
      // What waits for its "go" ends with stdin; what does not is stopped like a stray.
      await child.stdin.end();
      await this.#cleanUp(spec);
      throw error;
    } finally {
      await child.stdin.end();
      lines.close();
      child.unref();
    }
  }

  async stop(spec: ContainerSpec, init: ProcessIdentity, graceMs: number): Promise<void> {
    await terminate(init, graceMs, init.pid, spec.stopSignal ?? "SIGTERM");
    await this.#cleanUp(spec);
  }

  destroy(spec: ContainerSpec): Promise<void> {
    return this.#cleanUp(spec);
  }

  isRunning(init: ProcessIdentity): boolean {
    return isRunning(init);
  }

  processes(spec: ContainerSpec): Promise<readonly number[]> {
    return cgroup.members(spec.id);
  }

  async lastEnd(spec: ContainerSpec): Promise<string> {
    const what =
      spec.command.length > 0 || (await readRootSource(spec)).kind === "layers" ? "its command" : "its init";
    const limit = performance.now() + LAST_END_MS_MAX;
    do {
      const run = await readFile(join(spec.folder, "run"), "utf8").catch(() => "");
      const [, status] = /^\d+ (\d+)\n$/.exec(run) ?? [];
      if (status !== undefined)
        return `${describeExit(what, Number(status))}${await notStarted(spec, status)}`;
      await Bun.sleep(LAST_END_POLL_MS);
    } while (performance.now() < limit);
    return `${what} has ended`;
  }

  execTarget(spec: ContainerSpec, init: () => ProcessIdentity | null): ExecTarget {
    return containerExecTarget({
      init: () => {
        const now = init();
        return now !== null && isRunning(now) ? now : null;
      },
      boundingSet: BOUNDING_SET,
      limits: processLimits(this.#limits),
      groups: () => cgroup.procsFiles(spec.id),
    });
  }

  vethEndpoint(spec: ContainerSpec) {
    return { veth: vethOf(spec.id), address: spec.address, edge: this.addresses.edge };
  }

  async #repair(): Promise<string[]> {
    const changed = await this.#network.differences(this.#egress);
    if (changed.length > 0) await this.#network.prepare(this.#egress);
    return changed;
  }

  /** What enter.sh has to know of what the root is made of, and what becomes the container's init. */
  async #beneath(spec: ContainerSpec, source: RootSource): Promise<Beneath> {
    const plain = { init: script("init.sh"), words: spec.command };
    if (source.kind === "layers") {
      if (which("perl") === null) throw new ContainerError("its host lacks perl, which starts images");
      const { image } = spec;
      if (image?.digest !== source.digest)
        throw new ContainerError(`the image that it was made of, ${source.digest}, is not on this host`);
      await writeFile(join(spec.folder, "layers"), `${image.layers.join("\n")}\n`);
      const { user, folder, volumes, env, argv } = launchOf(image.config, spec.command);
      const counted = (list: readonly string[]) => [String(list.length), ...list];
      const words = [user, folder, ...counted(volumes), ...counted(env), ...argv];
      return { root: "layers", init: script("launch.pl"), words };
    }
    if (source.kind !== "layered") return { root: source.kind, ...plain };
    const folder = this.#images?.folderOf(source.image);
    if (folder === undefined || !existsSync(folder)) {
      throw new ContainerError(
        `the image that it was made of, ${source.image}, is not on this host (BERTH_ROOT_IMAGE)`,
      );
    }
    return { root: folder, ...plain };
  }

  #spawnInit(spec: ContainerSpec, { root, init, words }: Beneath) {
    return Bun.spawn(
      filtered([
        "/bin/sh",
        script("keep.sh"),
        spec.folder,
        String(LOG_BYTES_MAX),
        script("log.sh"),
        script("enter.sh"),
        spec.folder,
        spec.name,
        spec.address,
        this.addresses.gateway,
        BOUNDING_SET,
        processLimits(this.#limits).join(" "),
        process.execPath,
        join(import.meta.dir, "../welcome.ts"),
        init,
        root,
        ...words,
      ]),
      // A session of its own: the container outlives the agent, its terminal and its process group.
      {
        cwd: "/",
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
        stdin: "pipe",
        stdout: "pipe",
        stderr: "ignore",
        detached: true,
      },
    );
  }

  /** Ends and removes whatever is there of an earlier run. The mounts have gone with their namespace. */
  async #cleanUp(spec: ContainerSpec): Promise<void> {
    for (const pid of await cgroup.members(spec.id)) {
      const stray = identify(pid);
      if (stray) signal(stray, "SIGKILL");
    }
    await deleteVeth(vethOf(spec.id));
    await cgroup.removeGroup(spec.id);
  }
}

/** Why a program could not be started at all, as launch.pl says it; empty when it was. */
async function notStarted(spec: ContainerSpec, status: string): Promise<string> {
  const [, reason] = /^berth: (.* cannot be run: .*)$/.exec(await lastLine(spec)) ?? [];
  return reason !== undefined && (status === "126" || status === "127") ? `: ${reason}` : "";
}

/** Why its init did not begin. What launch.pl refuses, it would refuse again. */
async function startFailure(spec: ContainerSpec): Promise<ContainerError> {
  const line = await lastLine(spec);
  const [, refusal] = /^berth: it cannot be started: (.*)$/.exec(line) ?? [];
  return refusal === undefined
    ? new ContainerError(`its init could not be started: ${line}`)
    : new UnstartableError(`it cannot be started: ${refusal}`);
}

/** The next line; the empty text when there is none in time. The shell that says "ready" is the container's own, and may say anything. */
async function nextLine(lines: LineReader): Promise<string> {
  const timer = setTimeout(() => lines.close(), ENTER_MS_MAX);
  const line = await lines.next().catch(() => null);
  clearTimeout(timer);
  return line ?? "";
}

async function lastLine(spec: ContainerSpec): Promise<string> {
  const log = Bun.file(join(spec.folder, "log"));
  const text = await log
    .slice(Math.max(0, log.size - LOG_TAIL_BYTES))
    .text()
    .catch(() => "");
  return text.trim().split("\n").at(-1) ?? "";
}
