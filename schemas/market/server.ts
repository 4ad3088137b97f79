import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { DomainError } from "../errors.ts";
import { CursorPagination, cursorQuery, ListReply, type PageBounds, QueryFlag } from "../paging.ts";
import { Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { sorting } from "../sorting.ts";
import { SERVER_NAME } from "../subjects.ts";
import { Name } from "../text.ts";

/** Servers of the stock (spec, control plane §2 "Offer, available server, …", §4.1). Cases that the spec leaves open are decided here. */

export const DAYS_MAX = 3_650;
/** Far above any real price, while sums of a few such prices remain exact. */
export const PRICE_CENTS_MAX = 100_000_000_000;

/** Ten terabits: more than any link of a server. */
export const BANDWIDTH_MBPS_MAX = 10_000_000;

export const CPU_SCORES = ["passmark", "geekbench_single", "geekbench_multi"] as const;
export const RAM_TYPES = ["ddr3", "ddr4", "ddr5"] as const;
export const DISK_TYPES = ["hdd", "ssd", "nvme"] as const;
export const CATEGORIES = ["compute", "memory", "storage", "general", "gpu"] as const;
const HOST_KINDS = ["dedicated", "shared", "system"] as const;
export const ServerKind = OneOf(HOST_KINDS);

export const Cents = Type.Integer({ minimum: 0, maximum: PRICE_CENTS_MAX, description: "cents" });
export const RentalDays = Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: "days" });

/** Days of rent → price. */
export const Prices = Type.Record(Type.String({ pattern: "^[1-9][0-9]{0,3}$" }), Cents, {
  additionalProperties: false,
  description: "days of rent → cents; at most 3650 days",
});
export type Prices = Static<typeof Prices>;

const Disk = Strict({
  type: OneOf(DISK_TYPES),
  size_gb: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "GB, by powers of ten" }),
});
const Score = Type.Integer({ minimum: 0, maximum: 10_000_000 });

/** The specifications of a server. An operator gives the known ones; a filter never matches an unknown one. */
export const ServerSpecs = Strict({
  country: Type.Optional(
    Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 code", examples: ["DE"] }),
  ),
  region: Type.Optional(Name(64)),
  city: Type.Optional(Name(64)),
  cpu_model: Type.Optional(Name(100)),
  cpu_cores: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_096 })),
  cpu_scores: Type.Optional(
    Strict({
      passmark: Type.Optional(Score),
      geekbench_single: Type.Optional(Score),
      geekbench_multi: Type.Optional(Score),
    }),
  ),
  ram_gb: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: "memory in GiB" }),
  ),
  ram_type: Type.Optional(OneOf(RAM_TYPES)),
  disks: Type.Optional(Type.Array(Disk, { maxItems: 64 })),
  bandwidth_mbps: Type.Optional(Type.Integer({ minimum: 1, maximum: BANDWIDTH_MBPS_MAX })),
  traffic_tb: Type.Optional(
    Nullable(Type.Number({ minimum: 0, maximum: 1_000_000, description: "TB a month; null: unlimited" })),
  ),
  category: Type.Optional(OneOf(CATEGORIES)),
  featured: Type.Optional(Type.Boolean()),
});
export type ServerSpecs = Static<typeof ServerSpecs>;

/** The price of a duration, with the setup fee of the first payment. Cents. */
const PriceTier = Type.Object({
  price: Cents,
  price_per_day: Type.Number({ description: "USD" }),
  setup_fee: Cents,
  total_first_payment: Type.Integer({
    description: "cents: price and setup fee; the total that `max_charge_cents` limits",
  }),
});

export const AvailableServer = Type.Object({
  id: Id,
  name: Type.String(),
  specs: ServerSpecs,
  total_storage_gb: Type.Integer(),
  unlimited_traffic: Type.Boolean(),
  is_subserver: Type.Boolean({
    description: "true: a part of a physical server, on which other tenants have containers too",
  }),
  delivered_by_hand: Type.Boolean({
    description:
      "true: its host has not joined yet, and an operator sets it up after it is rented. The rent is charged at once; a container on it " +
      "is refused (409 HOST_NOT_JOINED) until its host joins, which is when the paid time begins",
  }),
  pricing: Type.Object({
    currency: Type.Literal("USD"),
    setup_fee_cents: Cents,
    price_tiers: Type.Record(Type.String(), PriceTier, { description: "days of rent → price" }),
  }),
});
export type AvailableServer = Static<typeof AvailableServer>;

/** One value, several under the same name, or several separated by commas. */
const listOf = (values: string) =>
  Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 64 })], {
    description: `${values}; repeated, or separated by commas, in any case of letters`,
  });
const QueryNumber = (description: string) =>
  Type.String({
    pattern: "^[0-9]{1,9}(\\.[0-9]{1,4})?$",
    description: `a decimal number such as 2 or 0.5: ${description}`,
  });
/** One of the given words, in any case of letters: the schema looks at its form, and the route reads it. */
const AnyCase = (values: readonly string[], more = "") =>
  Type.String({
    pattern: "^[A-Za-z_]{1,32}$",
    description: `${values.join(", ")}${more}; in any case of letters`,
    examples: [values[0]],
  });
/** A stock of a hundred thousand servers is to be narrowed by filters. */
export const AVAILABLE_PAGE: PageBounds = { standard: 500, max: 500 };

/** `price_per_day`: the lowest of all lengths. */
export const AVAILABLE_SORT = sorting("price_per_day", {
  price_per_day: "number",
  name: "text",
  created_at: "time",
});
/** Filters of `GET /api/v1/servers/available`; a server must meet all given filters. */
export const AvailableQuery = Strict({
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "ISO 3166-1 code of two letters, in upper or lower case",
    }),
  ),
  region: Type.Optional(Name(64)),
  max_price_per_day: Type.Optional(
    QueryNumber("USD: some length of rent (of `available_durations`, if given) costs no more a day"),
  ),
  available_durations: Type.Optional(listOf("days; the server can be rented for at least one of them")),
  min_cpu_cores: Type.Optional(QueryNumber("cores")),
  min_cpu_score: Type.Optional(QueryNumber("in the benchmark of `cpu_score_type`")),
  cpu_score_type: Type.Optional(AnyCase(CPU_SCORES, " (passmark when left out)")),
  min_ram_gb: Type.Optional(QueryNumber("GiB")),
  ram_types: Type.Optional(listOf(RAM_TYPES.join(", "))),
  min_total_storage_gb: Type.Optional(QueryNumber("GB, all disks together")),
  disk_types: Type.Optional(listOf(`${DISK_TYPES.join(", ")}; the server has at least one of them`)),
  min_bandwidth_mbps: Type.Optional(QueryNumber("Mbit/s")),
  min_traffic_tb: Type.Optional(QueryNumber("TB a month; unlimited traffic is enough for any")),
  unlimited_traffic_only: Type.Optional(QueryFlag),
  category: Type.Optional(AnyCase(CATEGORIES)),
  featured_only: Type.Optional(QueryFlag),
  ...cursorQuery(AVAILABLE_PAGE, AVAILABLE_SORT),
});
export type AvailableQuery = Static<typeof AvailableQuery>;

/** From an operator, and between actors: a server is added to the stock. */
export const AddServer = Strict({
  name: Type.String({ pattern: SERVER_NAME.source, description: "a DNS label" }),
  kind: Type.Optional(
    OneOf(
      HOST_KINDS,
      "`dedicated` when left out: for one tenant. `shared` (divided into subservers) and `system` are not for rent",
    ),
  ),
  parent_id: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...Id,
        description:
          "makes it a subserver, a part of this physical server of the kind `shared`: it is rented like a server, and its containers run on that server's host",
      }),
    ),
  ),
  specs: ServerSpecs,
  prices: Type.Optional(Prices),
  setup_fee_cents: Type.Optional(Cents),
  delivered_by_hand: Type.Optional(
    Type.Boolean({
      description:
        "true: it can be rented before its host has joined, because an operator sets it up for whoever rents it; false when left out",
    }),
  ),
});
export type AddServer = Static<typeof AddServer>;

export const CreateServer = Strict({
  ...AddServer.properties,
  idempotency_key: Type.Optional(IdempotencyKey),
});

/** Missing fields stay unchanged. New prices apply to new rentals, and never raise the ceiling of an existing one. */
export const ChangeServer = Strict(
  {
    specs: Type.Optional(ServerSpecs),
    prices: Type.Optional(Prices),
    setup_fee_cents: Type.Optional(Cents),
    delivered_by_hand: AddServer.properties.delivered_by_hand,
  },
  { minProperties: 1 },
);
export type ChangeServer = Static<typeof ChangeServer>;

/**
 * `renting`: a payment is in progress; `grace`: its rental has ended; `cleaning`: its containers are being removed, then it is in
 * stock again; `retired`: an operator removed it from the stock.
 */
export const ServerStatus = OneOf(["in_stock", "renting", "rented", "grace", "cleaning", "retired"] as const);
export type ServerStatus = Static<typeof ServerStatus>;

/** Who rents a server, as operators see it. */
const Renter = Type.Object({
  user_id: Id,
  username: Type.String(),
  rental_end: Timestamp,
  awaits_delivery: Type.Boolean({
    description: "its paid time begins when its host joins, and moves `rental_end`",
  }),
});

/** A server as an operator sees it. */
export const StockServer = Type.Object({
  id: Id,
  name: Type.String(),
  kind: ServerKind,
  parent_id: Nullable(
    Type.Unsafe<string>({ ...Id, description: "of a subserver: the physical server that it is a part of" }),
  ),
  status: ServerStatus,
  specs: ServerSpecs,
  prices: Prices,
  setup_fee_cents: Cents,
  rental_id: Nullable(Id),
  renter: Nullable(
    Type.Object(Renter.properties, {
      description:
        "who rents it and until when; after the end of a rental who rented it last, until the server is cleaned",
    }),
  ),
  host: Type.String({
    description:
      "the name of the physical server whose agent runs it: its own, or that of the one it is a part of",
  }),
  host_joined_at: Nullable(Timestamp),
  host_draining: Type.Boolean({
    description: "whether an operator is emptying its host: it is neither rented nor delivered",
  }),
  delivered_by_hand: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type StockServer = Static<typeof StockServer>;

/** The refusal of a rent or a new container on a server without an agent, where nothing could run. */
export const hostNotJoined = () =>
  new DomainError(
    "HOST_NOT_JOINED",
    "The server's host has never joined: nothing can run there until an operator starts its agent",
  );

export const AvailableServersReply = ListReply(AvailableServer);
export const StockServerReply = Reply(StockServer);
export const StockServersReply = Reply(
  Type.Object({ servers: Type.Array(StockServer), total: Type.Integer(), pagination: CursorPagination }),
);
