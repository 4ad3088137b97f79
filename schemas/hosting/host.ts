import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { DomainError } from "../errors.ts";
import { CursorPagination, offsetQuery, searchQuery } from "../paging.ts";
import { Decimal, Id, IdempotencyKey, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { BY_NAME } from "../sorting.ts";
import { SERVER_NAME } from "../subjects.ts";
import { Line } from "../text.ts";
import { DIGEST, REFERENCE_LENGTH_MAX } from "./image-reference.ts";

/** Machines that run an agent (docs/decisions/0059-joining-hosts.md). */

const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "bytes" });

/** What a host may be unable to limit. */
export const UNLIMITED_NAMES = [
  "processes",
  "memory",
  "swap",
  "cpu",
  "disk_speed",
  "bandwidth",
  "part_bandwidth",
  "user_counters",
] as const;
export type Unlimited = (typeof UNLIMITED_NAMES)[number];

/** What an agent says of its machine. */
export const HostFacts = Type.Object({
  agent_version: Line(64),
  architecture: Line(32),
  cores: Type.Integer({ minimum: 1, maximum: 65_536 }),
  memory_bytes: Bytes,
  disk_bytes: Type.Unsafe<number>({ ...Bytes, description: "bytes, of the disk with the agent's folder" }),
  disk_free_bytes: Bytes,
  kernel: Line(128),
  cgroups: OneOf(["v2", "v1", "none"], "the control groups that the kernel offers"),
  driver: OneOf(
    ["oci", "process"],
    "`oci`: containers are isolated; `process`: they are plain processes without isolation",
  ),
  runtime: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...Line(64),
        description: "the OCI runtime and its version, such as `crun 1.8.1`; null: the driver has none",
      }),
    ),
  ),
  unlimited: Type.Optional(
    Type.Array(OneOf(UNLIMITED_NAMES), {
      maxItems: UNLIMITED_NAMES.length,
      description:
        "what its kernel cannot limit: containers may take all of it; absent: its agent does not say",
    }),
  ),
});
export type HostFacts = Static<typeof HostFacts>;

/** The most images that hosts keep ready: each takes of every host's disk. */
export const PREPARED_IMAGES_MAX = 64;
/** The longest reason why an image is not ready, in characters: all of them fit in a reply. */
export const PREPARED_ERROR_LENGTH_MAX = 300;
const Reference = Type.String({ maxLength: REFERENCE_LENGTH_MAX });

/** To an agent: the images that its host should have before a container asks for them (docs/decisions/0099-images-kept-ready.md). */
export const PrepareImages = Type.Object({
  references: Type.Array(Reference, { maxItems: PREPARED_IMAGES_MAX }),
});

/** How far a host is with an image that it should keep ready. */
export const PreparedImage = Type.Object({
  reference: Reference,
  state: OneOf(["pulling", "ready", "error"], "`ready`: all of it is on the host, and stays there"),
  digest: Nullable(
    Type.String({ pattern: DIGEST.source, description: "what the reference led to at the last pull" }),
  ),
  error: Nullable(
    Type.String({
      maxLength: PREPARED_ERROR_LENGTH_MAX,
      description: "why it cannot be pulled; of a ready one: why no newer one can be looked for",
    }),
  ),
});
export type PreparedImage = Static<typeof PreparedImage>;
export const PreparedImages = Type.Object({
  images: Type.Array(PreparedImage, { maxItems: PREPARED_IMAGES_MAX }),
});

export const HostStatus = OneOf(
  ["pending", "online", "silent", "offline"],
  "`pending`: its agent has never been heard of; `silent`: it has missed two pings, 20 seconds at most after it last answered; `offline`: it was not heard of for a minute",
);
export type HostStatus = Static<typeof HostStatus>;
/** A host that is not heard of for so long is offline. */
export const OFFLINE_AFTER_SECONDS = 60;

/** A machine, as administrators see it. */
export const HostRecord = Type.Object({
  id: Id,
  name: Type.String(),
  status: HostStatus,
  draining: Type.Boolean({ description: "true: no new container is placed on it" }),
  enrolled_at: Nullable(Timestamp),
  enrolment_expires_at: Nullable(
    Type.Unsafe<string>({ ...Timestamp, description: "until when its one-time token can be used" }),
  ),
  last_seen_at: Nullable(Timestamp),
  facts: Nullable(HostFacts),
  containers: Type.Integer({ description: "the containers on it that are not deleted" }),
  storage_shares: Type.Integer({ description: "the storage shares on it that are not deleted" }),
  rentals: Type.Integer({ description: "how many rent its server, or a part of it" }),
  prepared_images: Type.Array(PreparedImage, {
    description: "the images of the catalogue with `prespawn`, as its agent last reported them",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type HostRecord = Static<typeof HostRecord>;

export const HostName = Type.String({
  pattern: SERVER_NAME.source,
  description: "a DNS label: the name of the server of the stock whose containers run on it",
});

export const CreateHost = Strict({ name: HostName, idempotency_key: Type.Optional(IdempotencyKey) });
export const ChangeHost = Strict({ draining: Type.Boolean() });
export const RemoveHostQuery = Strict({
  force: Type.Optional(
    Type.Unsafe<"true" | "false">(
      Type.Union([Type.Literal("true"), Type.Literal("false")], {
        description:
          "`true`: also a host that still has containers or storage shares, or that somebody rents, because its machine is lost",
      }),
    ),
  ),
});

/** Long enough to walk to the machine, and short enough that a copied command is worth nothing tomorrow. */
export const ENROLMENT_MS = 60 * 60 * 1000;
export const ENROLMENT_TOKEN = /^([0-9a-f]{24})\.([A-Za-z0-9_-]{43})$/;

/** A machine joins: its one-time token, and the public key that its agent has made. */
export const EnrolHost = Strict({
  token: Type.String({ pattern: ENROLMENT_TOKEN.source, description: "the one-time token of the host" }),
  public_key: Type.String({ pattern: "^U[A-Z2-7]{55}$", description: "public nkey of a NATS user" }),
  facts: HostFacts,
  expected_name: Type.Optional(
    Type.Unsafe<string>({
      ...HostName,
      description:
        "the host that the agent's folder belongs to. A token of another host is refused, and stays good",
    }),
  ),
});
export type EnrolHost = Static<typeof EnrolHost>;

/** What an agent needs to connect. */
export const HostCredential = Type.Object({
  server_name: Type.String(),
  nats_url: Type.String({ description: "where the host reaches NATS" }),
  jwt: Type.String({ description: "the credential for the agent's key; the agent renews it by itself" }),
  container_domain: Type.String(),
});
export type HostCredential = Static<typeof HostCredential>;

const OneTimeToken = Type.Object({
  token: Nullable(
    Type.String({ description: "good once, for an hour; only the first reply to a request shows it" }),
  ),
  command: Nullable(Type.String({ description: "what to run on the machine, as root" })),
});

export const HOSTS_PAGE = { standard: 50, max: 500 };
export const HostsQuery = Strict({ ...offsetQuery(HOSTS_PAGE, BY_NAME), ...searchQuery() });
export const HostReply = Reply(HostRecord);
export const HostsReply = Reply(
  Type.Object({ hosts: Type.Array(HostRecord), total: Type.Integer(), pagination: CursorPagination }),
);
export const HostTokenReply = Reply(Type.Composite([HostRecord, OneTimeToken]));
/** How many rentals the record of a removal names: each has a record of its own. */
export const ENDED_RENTALS_NAMED_MAX = 100;
/** A rental that ended with the removal of its machine. */
export const EndedRental = Type.Object({
  rental_id: Id,
  user_id: Id,
  username: Nullable(Type.String()),
  server_name: Type.String(),
  refunded: Type.Unsafe<string>({
    ...Decimal,
    description:
      "USD as text: what is returned, that is what was paid for the rest of its time, less what was refunded of that payment before where not enough of it is left. A rental that was handed over without a payment, or that began before Berth noted payments, has 0.00",
  }),
});
export type EndedRental = Static<typeof EndedRental>;
/** What the audit log has of a removal by force. */
export const ForcedRemoval = Strict({
  rentals: Type.Integer({ minimum: 0 }),
  refunded: Type.Unsafe<string>({ ...Decimal, description: "USD as text, of all rentals" }),
  ended_rentals: Type.Array(EndedRental, { maxItems: ENDED_RENTALS_NAMED_MAX }),
});
export const RemovedHostReply = Reply(Type.Object({ ended_rentals: Type.Array(EndedRental) }));
export const HostCredentialReply = Reply(HostCredential);

/** The refusal of a new container on a host that an administrator empties. */
export const hostDraining = () =>
  new DomainError(
    "HOST_DRAINING",
    "Nothing new can be put on this server for now: an operator is emptying its host. What is there keeps running",
  );

export const invalidEnrolment = () =>
  new DomainError(
    "ENROLMENT_INVALID",
    "The token was used or replaced, or has expired: make another one for the host",
  );
