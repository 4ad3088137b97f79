import { serverDomain } from "../../schemas/addresses.ts";
import type { DesiredAlias } from "../../schemas/hosting/desired.ts";
import { readName } from "./names.ts";

export interface LimitedGrant {
  readonly user_id: string;
  readonly services: readonly string[];
}

/** The edge's data on a container of its host. */
export interface EdgeContainer {
  readonly projectId: string;
  /** The container's address on its host. */
  readonly address: string;
  /** The source address of connections that the container's firewall allows; without one the system chooses. */
  readonly edgeAddress?: string | undefined;
  /** The users with access to all services. */
  readonly grants: readonly string[];
  /** Users with access to some services alone. */
  readonly limitedGrants?: readonly LimitedGrant[] | undefined;
}

/** The route of a name. */
export interface Route {
  /** Routes with the same key have the same target. */
  readonly key: string;
  /** The first label of the name, for logs. */
  readonly label: string;
  readonly containerId: string;
  readonly container: EdgeContainer;
  readonly to:
    | { readonly kind: "port"; readonly protocol: "http" | "https" | "ssh"; readonly port: number }
    /** A built-in service, only for users with access. */
    | { readonly kind: "service"; readonly service: string; readonly instance: number };
  readonly targetPath: string | null;
  readonly allowPathOverride: boolean;
}

export interface RouteTable {
  readonly serverName: string;
  readonly containerDomain: string;
  /** The alias of a label; may be disabled or expired. Undefined if there is none. */
  resolveAlias(label: string): DesiredAlias | undefined;
  /** The alias that a user's own domain leads to now; undefined if there is none. */
  resolveDomain?(name: string): DesiredAlias | undefined;
  /** Undefined if the container is not on this host. */
  container(id: string): EdgeContainer | undefined;
}

const PROTOCOLS = ["http", "https", "ssh"] as const;

/**
 * The current route of a name; undefined for a name that is unknown, disabled, expired, deleted, or not of this host.
 *
 * @param name a host name, normalised
 */
export function findRoute(name: string, table: RouteTable, now = Date.now()): Route | undefined {
  const found = readName(name, serverDomain(table.serverName, table.containerDomain));
  if (found === undefined) return aliasRoute(table.resolveDomain?.(name), table, now);
  if (found.kind === "alias") return aliasRoute(table.resolveAlias(found.label), table, now);
  const container = table.container(found.containerId);
  if (container === undefined || container.projectId !== found.projectId) return undefined;
  const { containerId, service, instance } = found;
  return {
    key: name,
    label: name.slice(0, name.indexOf(".")),
    containerId,
    container,
    to: { kind: "service", service, instance },
    targetPath: null,
    allowPathOverride: true,
  };
}

function aliasRoute(alias: DesiredAlias | undefined, table: RouteTable, now: number): Route | undefined {
  if (alias === undefined || !alias.enabled) return undefined;
  if (alias.expires_at !== null && !(Date.parse(alias.expires_at) > now)) return undefined;
  const container = table.container(alias.container_id);
  if (container === undefined) return undefined;
  const { program, port } = alias;
  const protocol = PROTOCOLS.find((one) => one === program);
  // A protocol without a port has no target.
  if (protocol !== undefined && port === null) return undefined;
  return {
    key: `${alias.id} ${program} ${port} ${alias.index} ${alias.target_path}`,
    label: alias.alias,
    containerId: alias.container_id,
    container,
    to:
      protocol !== undefined && port !== null
        ? { kind: "port", protocol, port }
        : { kind: "service", service: program, instance: alias.index },
    targetPath: alias.target_path,
    allowPathOverride: alias.allow_path_override,
  };
}
