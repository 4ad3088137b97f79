import type { Logger } from "pino";
import type { ContainerStatus, FirewallStatus } from "../../schemas/hosting/desired.ts";
import type { Semaphore } from "../../system/semaphore.ts";
import type { Tracing } from "../../system/tracing/tracing.ts";
import type { ContainerDriver } from "../containers/driver.ts";
import type { Images } from "../containers/images/images.ts";
import type { Credentials } from "../containers/images/registries.ts";
import type { Limits } from "../containers/limits.ts";
import type { PacketFilter } from "../network/nft/apply.ts";
import type { Shares } from "./shares.ts";
import type { StateStore } from "./store.ts";

/** A report without its time, which the reporter adds. */
export type Reported<T> = Omit<T, "reported_at">;

/** The context that all containers of a host share. */
export interface Context {
  readonly driver: ContainerDriver;
  /** Null if this host cannot filter packets. */
  readonly filter: PacketFilter | null;
  /** Null if this host cannot run images. */
  readonly images: Images | null;
  /** The credential that the project of a container has for a registry; null: none. */
  readonly registryCredentials?:
    | ((containerId: string, registry: string) => Promise<Credentials | null>)
    | undefined;
  readonly shares: Shares;
  readonly limits: Limits;
  readonly store: StateStore;
  /** Limits expensive work: starting, stopping and removing containers. */
  readonly startConcurrency: Semaphore;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
  /** Another program had changed a container's rules, and they are restored. */
  countFirewallRepair(): void;
  reportContainer(id: string, status: Reported<ContainerStatus>): void;
  reportFirewall(id: string, status: Reported<FirewallStatus>): void;
}
