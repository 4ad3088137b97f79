import type { AppliedResources } from "../../schemas/hosting/container.ts";
import type { Resources, ServerResources } from "../../schemas/hosting/container-settings.ts";
import type { ProcessIdentity } from "../../system/process-identity.ts";
import type { ProgramResult } from "../exec/program.ts";
import type { ExecTarget } from "../exec/target.ts";
import type { AddressPool } from "../network/addresses.ts";
import type { CommitMonitor } from "../network/nft/commit-monitor.ts";
import type { VethEndpoint } from "../network/nft/compile.ts";
import type { ContainerCommand } from "./command.ts";
import type { StoredImage } from "./images/store.ts";
import type { UsageCounters } from "./usage.ts";
import type { ShareMount } from "./volumes/share-mount.ts";

/** What a driver needs to know of a container. */
export interface ContainerSpec {
  readonly id: string;
  /** A DNS label; the container's host name. */
  readonly name: string;
  /** The container's folder on the host, absolute: its root, its log, its state. It exists. */
  readonly folder: string;
  /** IPv4, from the driver's pool. */
  readonly address: string;
  /** In place of the image's entry point; absent or empty: the image's own. */
  readonly entrypoint?: readonly string[];
  /** In place of the image's own arguments; without an image, behind `entrypoint`, what init runs. Empty: init alone, or what the image says. */
  readonly command: readonly string[];
  /** Over those of the image. */
  readonly env?: readonly Variable[];
  /** What it may take of the host; absent: the standard. */
  readonly resources?: Resources;
  /** What its server has, a part of the host maybe; absent: not known. */
  readonly serverResources?: ServerResources;
  /** What it is made of, known whenever it is made or started; null: what the driver makes new containers of. */
  readonly image: StoredImage | null;
  /** The number of the signal that asks its program to end, where that is another one than SIGTERM. */
  readonly stopSignal: number | null;
  /** Storage shares that are mounted whenever it is started; absent: none. */
  readonly shares?: readonly ShareMount[];
  /** Its project, or the part of the host that it is on: the control groups of a tenant's containers lie in one; absent: it is in none. */
  readonly tenant?: string;
  /** Whether the tenant is a part of the host, of which `serverResources` are what all containers there have together. */
  readonly isPart?: boolean;
}

/** Without an image: all that init runs. */
export const commandOf = ({ entrypoint = [], command }: ContainerSpec): readonly string[] => [
  ...entrypoint,
  ...command,
];

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** How a run ended. */
export interface RunEnd {
  /** Null: a signal ended it, or it is not known. */
  readonly status: number | null;
  readonly signal: string | null;
  readonly isOutOfMemory: boolean;
  /** In words, for the container's owner. */
  readonly reason: string;
  readonly at: Date;
}

/** A container's init while this agent is its parent. */
export interface StartedInit {
  readonly init: ProcessIdentity;
  /** Settles when init has ended. */
  readonly ended: Promise<unknown>;
}

/** A container cannot be made, started or removed; the message says why, in words for its owner. */
export class ContainerError extends Error {
  override readonly name: string = "ContainerError";
}

/** Its image cannot be started as it is: another attempt would end in the same way. */
export class UnstartableError extends ContainerError {
  override readonly name = "UnstartableError";
}

/** A prerequisite is still being made; the container is tried again soon. */
export class NotReady extends ContainerError {}

/**
 * How containers are run on a host. A driver keeps no record: what it has to know again after a restart is in
 * the spec and the init's identity, which the agent keeps. Every method may be called again after it failed or after
 * the agent died in the middle of it.
 */
export interface ContainerDriver {
  readonly kind: "oci" | "process";
  /** What makes the containers, such as `crun 1.8.1`; null: the driver itself. */
  readonly runtime: string | null;
  /** Where containers' addresses come from; null: all share the host's loopback address. */
  readonly addresses: AddressPool | null;

  /** Makes the host ready. Once, before anything else. */
  prepare(): Promise<void>;
  /** Puts back what another tool changed of what `prepare` made; names it, for a log. @param monitor saves a look at rules that nobody has changed */
  repair(monitor?: CommitMonitor): Promise<string[]>;
  /** Undoes `prepare`. No container runs, and none will be started. */
  release(): Promise<void>;
  /** Makes what lasts: the container's root. */
  create(spec: ContainerSpec): Promise<void>;
  /**
   * Starts the container; what is left of an earlier run is removed first.
   *
   * @param record called with init's identity before anything of the container runs: when it fails, nothing will
   */
  start(spec: ContainerSpec, record: (init: ProcessIdentity) => Promise<void>): Promise<StartedInit>;
  /** Ends the container: asks init, and after `graceMs` insists. Returns when its processes are gone. */
  stop(spec: ContainerSpec, init: ProcessIdentity, graceMs: number): Promise<void>;
  /** Removes what a run that has ended left on the host; `stop` does so too. */
  cleanUp(spec: ContainerSpec): Promise<void>;
  /** Removes what `start` made on the host. The container is stopped; its folder is for the caller to remove. */
  destroy(spec: ContainerSpec): Promise<void>;
  /** Whether this init runs still, also one that an earlier agent started. Cheap. */
  isRunning(init: ProcessIdentity): boolean;
  /** The processes that run in it, as the host numbers them; none where the driver does not know. */
  processes(spec: ContainerSpec): Promise<readonly number[]>;
  /** What it has used since its start; its disk is not the driver's. */
  usage(spec: ContainerSpec): Promise<Omit<UsageCounters, "diskBytes">>;
  /** Whether anything of the container ran since its init was recorded: the agent may have died right before. */
  hasBegun(spec: ContainerSpec): boolean;
  /** How the last run ended, also one that an earlier agent started. */
  lastEnd(spec: ContainerSpec): Promise<RunEnd>;
  /** Holds a container that runs to its resources, as they are now; says what it is held to. */
  limit(spec: ContainerSpec): Promise<AppliedResources>;
  /**
   * The container as a place where programs run: as its own would, as one of its users, on a terminal of its own. It serves
   * across restarts; while the container does not run it throws ContainerError.
   *
   * @param init its init now; null while it does not run
   */
  execTarget(spec: ContainerSpec, init: () => ProcessIdentity | null): ExecTarget;
  /**
   * Runs a command in a container that runs, to its end or to a limit.
   * @throws InvalidCommand, ContainerError
   */
  runCommand(spec: ContainerSpec, init: ProcessIdentity, command: ContainerCommand): Promise<ProgramResult>;
  /** The host's end of the container's link; null where packets cannot be filtered. */
  vethEndpoint(spec: ContainerSpec): VethEndpoint | null;
}
