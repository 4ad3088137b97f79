import { useQueries } from "@tanstack/react-query";
import type { Schemas } from "./api.ts";
import { poolQuery, usePools, useRentals } from "./reads.ts";

type Rental = Schemas["Rental"];

/** A server that the user rents, or that a pool shares with the user. */
export interface ReachedServer
  extends Pick<
    Rental,
    "id" | "server_id" | "server_name" | "specs" | "status" | "host_joined" | "rental_end"
  > {
  /** These are absent of a server that a pool shares. */
  readonly rental_start?: string;
  readonly awaits_delivery?: boolean;
  readonly auto_extension?: Rental["auto_extension"];
  readonly poolName: string | null;
  /** In the pool that shares it; absent of a server that the user rents. */
  readonly role?: Schemas["PoolDetail"]["role"];
  /** Who rents it and shares it through the pool; null: the user rents it. */
  readonly sharedBy: string | null;
  /** Whether the user may create something on it. */
  readonly isUsable: boolean;
}

const DAY_MS = 86_400_000;
/** A rental that ends sooner is worth a mark. */
const ENDS_SOON_MS = 7 * DAY_MS;
/** One for a day does not end soon as long as it is new. */
const LAST_PART = 1 / 3;

type Lasting = Pick<Rental, "rental_end"> & Partial<Pick<Rental, "rental_start">>;

export function endsSoon({ rental_start, rental_end }: Lasting): boolean {
  const end = Date.parse(rental_end);
  const lasts = rental_start === undefined ? Number.POSITIVE_INFINITY : end - Date.parse(rental_start);
  return end - Date.now() < Math.min(ENDS_SOON_MS, lasts * LAST_PART);
}

/** All servers that the user reaches, those that have ended among them; undefined while they are being read. */
export function useReachedServers(): { servers: readonly ReachedServer[] | undefined; error: unknown } {
  const rentals = useRentals();
  const pools = usePools();
  const shared = pools.data?.filter(({ role, server_count }) => role !== "owner" && server_count > 0) ?? [];
  const details = useQueries({
    queries: shared.map(({ id }) => poolQuery(id)),
  });
  const error = rentals.error ?? pools.error;
  if (rentals.data === undefined || pools.data === undefined || details.some(({ isPending }) => isPending))
    return { servers: undefined, error };
  const poolNames = new Map(pools.data.map(({ id, name }) => [id, name]));
  const own = rentals.data.map((rental) => ({
    ...rental,
    poolName: poolNames.get(rental.pool_id ?? "") ?? null,
    sharedBy: null,
    isUsable: rental.status === "active" && rental.host_joined,
  }));
  return { servers: [...own, ...details.flatMap(({ data }) => (data ? sharedBy(data) : []))], error };
}

const sharedBy = ({ name, role, members, servers }: Schemas["PoolDetail"]): ReachedServer[] =>
  servers.map((server) => ({
    ...server,
    id: server.rental_id,
    status: "active",
    poolName: name,
    role,
    sharedBy: members[0]?.username ?? name,
    isUsable: role !== "user" && server.host_joined,
  }));

/** The pool that shares a server with the user in a role that changes nothing on it; undefined: there is none, or it is being read. */
export const useReadOnlyPool = (serverId: string): string | undefined =>
  useReachedServers().servers?.find(({ server_id, role }) => server_id === serverId && role === "user")
    ?.poolName ?? undefined;

/** A container or a storage share, which names its host. */
interface Placed {
  readonly server_name: string;
  readonly subserver_name: string | null;
}

/** The server of a thing as it is rented: that may be a part of its host. */
export const serverOf = ({ server_name, subserver_name }: Placed): string => subserver_name ?? server_name;

/** A server as one is offered for a container or a storage share: one that is being set up is named, and cannot be chosen. */
export interface ServerChoice {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly isReady: boolean;
}

/** The servers on which the user may create something, those that are ready first; undefined while they are being read. */
export function useServerChoices(): readonly ServerChoice[] | undefined {
  const { servers } = useReachedServers();
  return servers
    ?.filter(({ status, isUsable, host_joined }) => status === "active" && (isUsable || !host_joined))
    .map(({ server_id, server_name, sharedBy, poolName, host_joined }) => ({
      id: server_id,
      name: server_name,
      label: `${server_name}${sharedBy === null ? "" : ` (pool ${poolName})`}${host_joined ? "" : ": being set up"}`,
      isReady: host_joined,
    }))
    .sort((a, b) => Number(b.isReady) - Number(a.isReady));
}
