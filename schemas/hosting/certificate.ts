import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE, searchQuery, TotalCount } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { sorting, sortKeys } from "../sorting.ts";

/** Certificates from an ACME authority (RFC 8555), and how hosts get theirs. */

/** A name of the API, all names of a host (`*.<server>.<domain>`), or a single name at a host's edge. */
export const CertificatePurpose = OneOf(["gateway", "edge", "name"] as const);
export type CertificatePurpose = Static<typeof CertificatePurpose>;

/** A domain name of at least two labels in lower case, also with `*` as its first one. */
export const CertificateName = Type.String({
  maxLength: 253,
  pattern: "^(\\*\\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
});

/** The token of an HTTP-01 challenge (RFC 8555 §8.3): base64url, with at least 128 bits. */
export const CHALLENGE_TOKEN = /^[A-Za-z0-9_-]{16,128}$/;
export const CHALLENGE_PATH = "/.well-known/acme-challenge/";

export const Challenge = Type.Object({ token: Type.String(), key_authorization: Type.String() });
export type Challenge = Static<typeof Challenge>;

/** Encrypted private keys can be decrypted for their own name alone. */
export const placeOfKey = (name: string): string => `certificate ${name}`;
export const placeOfAccountKey = (directoryUrl: string): string => `acme account ${directoryUrl}`;

/** Names that a host asks for at once: with its reply, well below the largest message of NATS. */
export const HOST_NAMES_MAX = 50;

/** What a host asks for: certificates of its names, and the key authorization of a challenge. */
export const HostCertificatesQuery = Type.Object({
  names: Type.Array(
    Type.Object({
      name: CertificateName,
      /** The SHA-256 of the chain that the host has. */
      have: Nullable(Type.String({ maxLength: 64 })),
      /** A client waits for it: one that is missing is to be ordered. */
      wanted: Type.Boolean(),
    }),
    { maxItems: HOST_NAMES_MAX },
  ),
  token: Nullable(Type.String({ pattern: CHALLENGE_TOKEN.source })),
});
export type HostCertificatesQuery = Static<typeof HostCertificatesQuery>;
export const HOST_QUERY_LENGTH_MAX = HOST_NAMES_MAX * 400;

export const HostCertificate = Type.Object({
  name: CertificateName,
  /** none: it is not ordered, or not for this host. unchanged: the host has it. */
  state: OneOf(["none", "pending", "unchanged", "issued"] as const),
  /** Of `issued`: PEM. */
  chain: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
});
export type HostCertificate = Static<typeof HostCertificate>;

export const HostCertificatesReply = Type.Object({
  /** Whether single names at the host's edge get certificates. */
  is_on: Type.Boolean(),
  certificates: Type.Array(HostCertificate),
  key_authorization: Nullable(Type.String()),
});
export type HostCertificatesReply = Static<typeof HostCertificatesReply>;

export const CertificateState = OneOf(
  ["issued", "pending", "failing"] as const,
  "issued: in use, and renewed in time; pending: the first order has not ended; failing: the last order failed, and the certificate of before stays in use until it ends",
);
export type CertificateState = Static<typeof CertificateState>;

/** A certificate as administrators see it: never with its key. */
export const CertificateRecord = Type.Object({
  id: Id,
  name: Type.String({ description: "the domain name, also with `*` as its first label" }),
  purpose: CertificatePurpose,
  state: CertificateState,
  user_id: Nullable(Type.Unsafe<string>({ ...Id, description: "the user whose name it is" })),
  not_before: Nullable(Timestamp),
  not_after: Nullable(
    Type.Unsafe<string>({ ...Timestamp, description: "when it ends; null: none was issued yet" }),
  ),
  failures: Type.Integer({ description: "orders that failed since the last success" }),
  error: Nullable(Type.String({ description: "why the last order failed, as the authority says" })),
  next_try_at: Type.Unsafe<string>({ ...Timestamp, description: "when it is ordered or renewed next" }),
  created_at: Timestamp,
});
export type CertificateRecord = Static<typeof CertificateRecord>;

/** `not_after`: names without a certificate come before those whose certificate ends first. */
export const CERTIFICATES_SORT = sorting("not_after", {
  not_after: "time",
  created_at: "time",
  name: "text",
  failures: "integer",
});
export const CertificateSort = sortKeys(CERTIFICATES_SORT);
export const CertificatesQuery = Strict({
  state: Type.Optional(CertificateState),
  purpose: Type.Optional(CertificatePurpose),
  ends_before: Type.Optional(
    Type.String({ description: "RFC 3339; certificates that end before it, and names without one" }),
  ),
  ...cursorQuery(LIST_PAGE, CERTIFICATES_SORT),
  ...searchQuery(),
});
export type CertificatesQuery = Static<typeof CertificatesQuery>;
export const CertificateReply = Reply(CertificateRecord);
export const CertificatesReply = Reply(
  Type.Object({
    certificates: Type.Array(CertificateRecord),
    count: TotalCount,
    pagination: CursorPagination,
  }),
);
