import type {
  Alias,
  ApiToken,
  AvailableServer,
  CatalogueImage,
  CertificateRecord,
  Container,
  HostRecord,
  Invitation,
  ManagedUser,
  Offer,
  PoolSummary,
  Project,
  PublicImage,
  Rental,
  Reservation,
  StockServer,
  StorageShare,
  Webhook,
} from "../index.ts";
import type { Api } from "./cli.ts";
import { bytes, dollars, money, plural, time, yesNo } from "./output/format.ts";
import type { Columns } from "./output/print.ts";
import { type Page, type PageQuery, page, type ReadPage, readRows, reply } from "./read.ts";
import { pools, readSharedServers } from "./shared-servers.ts";

/** A kind of thing that commands list and that users name. */
export interface Noun<Row> {
  /** For a person: `container`. */
  readonly one: string;
  readonly read: ReadPage<Row>;
  readonly name: (row: Row) => string;
  readonly columns: Columns<Row>;
  /** What a choice shows beside the name when several have the same. */
  readonly detail?: (row: Row) => string;
  /** Said where there are none. */
  readonly empty: string;
}

/** The server of a thing as it is rented: that may be a part of its host. */
export const serverOf = ({
  server_name,
  subserver_name,
}: Pick<Container, "server_name" | "subserver_name">): string => subserver_name ?? server_name;

/** Programs of aliases whose index is the port to which they lead. */
const WITH_PORT = new Set(["http", "https", "ssh"]);

const noun = <Row extends { readonly id: string }>(given: Noun<Row>): Noun<Row> => given;

export const specs = ({
  specs: { cpu_cores, ram_gb, disks = [], country, city },
}: Pick<Rental, "specs">) => ({
  cpu: cpu_cores === undefined ? "" : plural(cpu_cores, "core"),
  ram: ram_gb === undefined ? "" : `${ram_gb} GiB`,
  disk: disks.map(({ type, size_gb }) => `${size_gb} GB ${type}`).join(" + "),
  place: [city, country].filter(Boolean).join(", "),
});

/** A server whose machine has not joined yet takes no containers: an operator still sets it up. */
export const statusOf = ({ status, host_joined }: Pick<Rental, "status" | "host_joined">): string =>
  status === "active" && !host_joined ? "being set up" : status;

export const prices = (tiers: object) =>
  Object.entries(tiers)
    .map(
      ([days, price]) => `${days}d ${money(typeof price === "number" ? price : price.total_first_payment)}`,
    )
    .join(", ");

/** A server on which the user may create containers: rented, or reached through a pool. */
export interface ReachableServer {
  readonly id: string;
  readonly server_name: string;
}

const rentals: ReadPage<Rental> = async (api, query) => {
  const { data, pagination } = await reply(api.GET("/api/v1/rentals", { params: { query } }));
  return page(data, pagination);
};

/** The stock of administrators, also narrowed to those that one user rents. */
export async function readStock(
  api: Api,
  query: PageQuery & { readonly user_id?: string },
): Promise<Page<StockServer>> {
  const { data } = await reply(api.GET("/api/v1/admin/servers", { params: { query } }));
  return page(data.servers, data.pagination);
}

interface Invoice {
  readonly id: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly status: string;
  readonly issue_date: string;
}

/** By the names of arguments: completion and the lookup of names go by this table. */
export const NOUNS = {
  invoice: noun<Invoice>({
    one: "invoice",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/wallet/invoices", { params: { query } }));
      return page(data.invoices, data.pagination);
    },
    name: ({ invoice_number }) => invoice_number,
    columns: {
      ID: ({ id }) => id,
      NUMBER: ({ invoice_number }) => invoice_number,
      DATE: ({ issue_date }) => time(issue_date),
      AMOUNT: ({ amount }) => dollars(amount),
      STATUS: ({ status }) => status,
    },
    empty: "There are no invoices. `berth invoices create TRANSACTION` issues one.",
  }),
  container: noun<Container>({
    one: "container",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/containers", { params: { query } }));
      return page(data.containers, data.pagination);
    },
    name: ({ name }) => name,
    detail: (one) => `${one.state} on ${serverOf(one)}`,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      STATE: ({ state, error }) => (error === null ? state : `${state}: ${error}`),
      SERVER: serverOf,
      IMAGE: ({ image }) => image?.reference ?? "",
      ADDRESS: ({ address }) => address ?? "",
      CREATED: ({ created_at }) => time(created_at),
    },
    empty: "There are no containers. `berth containers create` makes one.",
  }),
  project: noun<Project>({
    one: "project",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/projects", { params: { query } }));
      return page(data.projects, data.pagination);
    },
    name: ({ name }) => name,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      CREATED: ({ created_at }) => time(created_at),
    },
    empty: "There are no projects. `berth projects create NAME` makes one.",
  }),
  rental: noun<Rental>({
    one: "server",
    read: rentals,
    name: ({ server_name }) => server_name,
    detail: (row) => `${statusOf(row)}, until ${time(row.rental_end)}`,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ server_name }) => server_name,
      STATUS: statusOf,
      "RENTED UNTIL": ({ rental_end }) => time(rental_end),
      CPU: (row) => specs(row).cpu,
      MEMORY: (row) => specs(row).ram,
      PLACE: (row) => specs(row).place,
    },
    empty: "You rent no servers. `berth servers available` lists those for rent.",
  }),
  server: noun<ReachableServer>({
    one: "server",
    read: async (api) => {
      const own = await readRows(api, rentals);
      const active = own.filter(({ status }) => status === "active");
      const reachable = [...active, ...(await readSharedServers(api))];
      const rows = reachable.map(({ server_id, server_name }) => ({ id: server_id, server_name }));
      return { rows, next: null };
    },
    name: ({ server_name }) => server_name,
    columns: { ID: ({ id }) => id, NAME: ({ server_name }) => server_name },
    empty: "You rent no servers.",
  }),
  available: noun<AvailableServer>({
    one: "server for rent",
    read: async (api, query) => {
      const { data, pagination } = await reply(api.GET("/api/v1/servers/available", { params: { query } }));
      return page(data, pagination);
    },
    name: ({ name }) => name,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      CPU: (row) => specs(row).cpu,
      MEMORY: (row) => specs(row).ram,
      DISK: (row) => specs(row).disk,
      PLACE: (row) => specs(row).place,
      "FIRST PAYMENT": ({ pricing }) => prices(pricing.price_tiers),
      "BY HAND": ({ delivered_by_hand }) => yesNo(delivered_by_hand),
    },
    empty: "No server for rent meets these conditions.",
  }),
  offer: noun<Offer>({
    one: "offer",
    read: async (api, query) => {
      const { data, pagination } = await reply(api.GET("/api/v1/offers", { params: { query } }));
      return page(data, pagination);
    },
    name: ({ name }) => name,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      CPU: (row) => specs(row).cpu,
      MEMORY: (row) => specs(row).ram,
      PRICES: ({ pricing_rules }) => prices(pricing_rules),
      "SETUP FEE": ({ setup_fee_cents }) => money(setup_fee_cents),
      "LEAD TIME": ({ lead_time_hours }) => `${lead_time_hours} h`,
    },
    empty: "There are no offers now.",
  }),
  reservation: noun<Reservation>({
    one: "reservation",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/reservations", { params: { query } }));
      return page(data.reservations, data.pagination);
    },
    name: ({ offer_name }) => offer_name,
    detail: ({ status, created_at }) => `${status}, ${time(created_at)}`,
    columns: {
      ID: ({ id }) => id,
      OFFER: ({ offer_name }) => offer_name,
      DAYS: ({ days }) => String(days),
      PAID: ({ total_cents }) => money(total_cents),
      STATUS: ({ status }) => status,
      DELIVERY: ({ delivery_due }) => time(delivery_due),
    },
    empty: "You have no reservations.",
  }),
  pool: noun<PoolSummary>({
    one: "pool",
    read: pools,
    name: ({ name }) => name,
    detail: ({ role }) => `you are ${role}`,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      ROLE: ({ role }) => role,
      MEMBERS: ({ member_count }) => String(member_count),
      SERVERS: ({ server_count }) => String(server_count),
    },
    empty: "There are no pools.",
  }),
  invitation: noun<Invitation>({
    one: "invitation",
    read: async (api, query) => {
      const { data, pagination } = await reply(
        api.GET("/api/v1/pools/invitations/pending", { params: { query } }),
      );
      return page(data, pagination);
    },
    name: ({ pool_name }) => pool_name,
    detail: ({ role }) => `as ${role}`,
    columns: {
      ID: ({ id }) => id,
      POOL: ({ pool_name }) => pool_name,
      ROLE: ({ role }) => role,
      "INVITED AT": ({ created_at }) => time(created_at),
    },
    empty: "No invitation waits for your answer.",
  }),
  alias: noun<Alias>({
    one: "alias",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/proxy/aliases", { params: { query } }));
      return page(data.aliases, data.pagination);
    },
    name: ({ alias }) => alias,
    detail: ({ url }) => url,
    columns: {
      ID: ({ id }) => id,
      ALIAS: ({ alias }) => alias,
      CONTAINER: ({ container_id }) => container_id,
      PROGRAM: ({ program }) => program,
      PORT: ({ program, index }) => (WITH_PORT.has(program) ? String(index) : ""),
      URL: ({ url }) => url,
      ENABLED: ({ enabled }) => yesNo(enabled),
      EXPIRES: ({ expires_at }) => time(expires_at),
    },
    empty: "There are no aliases. `berth alias add CONTAINER` makes one.",
  }),
  image: noun<PublicImage>({
    one: "image",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/images/public", { params: { query } }));
      return page(data.images, data.pagination);
    },
    name: ({ alias }) => alias,
    columns: {
      ID: ({ id }) => id,
      ALIAS: ({ alias }) => alias,
      SYSTEM: ({ os, release, architecture }) => `${os} ${release} ${architecture}`,
      PRICE: ({ price }) => (price === 0 ? "free" : dollars(price)),
      RATING: ({ average_rating, rating_count }) =>
        rating_count === 0 ? "" : `${average_rating} (${rating_count})`,
      DESCRIPTION: ({ description }) => description,
    },
    empty: "The catalogue has no such image.",
  }),
  share: noun<StorageShare>({
    one: "storage share",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/storage-shares", { params: { query } }));
      return page(data.storage_shares, data.pagination);
    },
    name: ({ name }) => name,
    detail: (one) => `${one.state} on ${serverOf(one)}`,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      STATE: ({ state, error }) => (error === null ? state : `${state}: ${error}`),
      SERVER: serverOf,
      USED: ({ used_bytes }) => bytes(used_bytes),
      SIZE: ({ size_bytes }) => bytes(size_bytes),
      SNAPSHOTS: ({ snapshot_count }) => String(snapshot_count),
    },
    empty: "There are no storage shares. `berth share create NAME` makes one.",
  }),
  token: noun<ApiToken>({
    one: "API token",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/auth/tokens", { params: { query } }));
      return page(data.tokens, data.pagination);
    },
    name: ({ name }) => name,
    detail: ({ created_at }) => `made ${time(created_at)}`,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      PERMISSIONS: ({ permissions }) => permissions.join(" "),
      EXPIRES: ({ expires_at }) => time(expires_at),
      CREATED: ({ created_at }) => time(created_at),
    },
    empty: "There are no API tokens.",
  }),
  webhook: noun<Webhook>({
    one: "webhook",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/webhooks", { params: { query } }));
      return page(data.webhooks, data.pagination);
    },
    name: ({ url }) => url,
    detail: ({ description }) => description,
    columns: {
      ID: ({ id }) => id,
      URL: ({ url }) => url,
      EVENTS: ({ event_types }) => event_types?.join(" ") ?? "all",
      STATE: ({ enabled, disabled_reason }) => (enabled ? "enabled" : `disabled ${disabled_reason ?? ""}`),
    },
    empty: "There are no webhooks.",
  }),
  user: noun<ManagedUser>({
    one: "user",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/admin/users", { params: { query } }));
      return page(data.users, data.pagination);
    },
    name: ({ username }) => username,
    columns: {
      ID: ({ id }) => id,
      USERNAME: ({ username }) => username,
      "E-MAIL": ({ email }) => email,
      ROLE: ({ role }) => role,
      STATUS: ({ status }) => status,
      "LAST SIGN-IN": ({ last_signed_in_at }) => time(last_signed_in_at),
    },
    empty: "No user is found.",
  }),
  host: noun<HostRecord>({
    one: "machine",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/admin/hosts", { params: { query } }));
      return page(data.hosts, data.pagination);
    },
    name: ({ name }) => name,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      STATUS: ({ status, draining }) => (draining ? `${status}, draining` : status),
      CONTAINERS: ({ containers }) => String(containers),
      CORES: ({ facts }) => (facts === null ? "" : String(facts.cores)),
      MEMORY: ({ facts }) => bytes(facts?.memory_bytes ?? null),
      "DISK FREE": ({ facts }) => bytes(facts?.disk_free_bytes ?? null),
      AGENT: ({ facts }) => facts?.agent_version ?? "",
      "LAST SEEN": ({ last_seen_at }) => time(last_seen_at),
    },
    empty: "There are no machines. `berth admin hosts add NAME` adds one.",
  }),
  certificate: noun<CertificateRecord>({
    one: "certificate",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/admin/certificates", { params: { query } }));
      return page(data.certificates, data.pagination);
    },
    name: ({ name }) => name,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      PURPOSE: ({ purpose }) => purpose,
      STATE: ({ state }) => state,
      ENDS: ({ not_after }) => time(not_after),
      FAILURES: ({ failures }) => String(failures),
      "NEXT TRY": ({ next_try_at }) => time(next_try_at),
      PROBLEM: ({ error }) => error ?? "",
    },
    empty: "There are no certificates from an ACME authority.",
  }),
  stock: noun<StockServer>({
    one: "server of the stock",
    read: readStock,
    name: ({ name }) => name,
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      STATUS: ({ status }) => status,
      CPU: (row) => specs(row).cpu,
      MEMORY: (row) => specs(row).ram,
      PRICES: ({ prices: tiers }) => prices(tiers),
      "RENTED BY": ({ renter }) => renter?.username ?? "",
      UNTIL: ({ renter }) => (renter?.awaits_delivery ? "not delivered" : time(renter?.rental_end ?? null)),
      "HOST JOINED": ({ host_joined_at }) => time(host_joined_at),
    },
    empty: "The stock has no servers.",
  }),
  "stock-image": noun<CatalogueImage>({
    one: "image of the catalogue",
    read: async (api, query) => {
      const { data } = await reply(api.GET("/api/v1/admin/images", { params: { query } }));
      return page(data.images, data.pagination);
    },
    name: ({ alias }) => alias,
    columns: {
      ID: ({ id }) => id,
      ALIAS: ({ alias }) => alias,
      PRICE: ({ price }) => dollars(price),
      PUBLIC: ({ public: isPublic }) => yesNo(isPublic),
      REFERENCE: ({ reference }) => reference,
      PREPARED: ({ prespawn, prepared }) => (prespawn ? preparedText(prepared) : "-"),
    },
    empty: "The catalogue has no images.",
  }),
} as const;

export type NounName = keyof typeof NOUNS;

const preparedText = ({ ready, pulling, error }: CatalogueImage["prepared"]): string =>
  `${ready} ready, ${pulling} pulling, ${error} failed`;
