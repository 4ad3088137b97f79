import { serverDomain } from "../../schemas/addresses.ts";
import type { DesiredAlias } from "../../schemas/hosting/desired.ts";
import { readName } from "./names.ts";

/** What the edge knows of a container of its host. */
export interface EdgeContainer {
  readonly projectId: string;
  /** As its host sees it. */
  readonly address: string;
  /** The host's address that its firewall lets in; without one the host chooses. */
  readonly edgeAddress?: string | undefined;
  /** Users who may use it. */
  readonly grants: readonly string[];
}

/** Where a name leads. */
export interface Route {
  /** Two routes of the same key lead to the same thing. */
  readonly key: string;
  /** The first label of the name: what logs call it. */
  readonly label: string;
  readonly containerId: string;
  readonly container: EdgeContainer;
  readonly to:
    | { readonly kind: "port"; readonly protocol: "http" | "https" | "ssh"; readonly port: number }
    /** Only for people with access. */
    | { readonly kind: "service"; readonly service: string; readonly instance: number };
  readonly targetPath: string | null;
  readonly allowPathOverride: boolean;
}

export interface RouteTable {
  readonly serverName: string;
  readonly containerDomain: string;
  /** Undefined when there is no alias of this label. Disabled and expired ones may still be told of. */
  resolveAlias(label: string): DesiredAlias | undefined;
  /** Undefined when it is not on this host. */
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
  if (found === undefined) return undefined;
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
  // A port that is missing leads nowhere.
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
