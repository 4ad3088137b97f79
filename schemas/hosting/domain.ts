import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { CursorPagination, cursorQuery, LIST_PAGE, searchQuery, TotalCount } from "../paging.ts";
import { Id, Nullable, OneOf, Strict, Timestamp } from "../primitives.ts";
import { sorting, sortKeys } from "../sorting.ts";
import { Text } from "../text.ts";

/** Users' own domains that lead to an alias (docs/edge.md, "Your own domain"). */

/** Longer names exist in DNS, but no certificate has more in its common name and alternatives. */
const DOMAIN_LENGTH_MAX = 253;
const DOMAIN = "^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$";

/** The label of the TXT record that proves a domain. */
export const PROOF_LABEL = "_berth-challenge";

export const DomainName = Text({
  minLength: 4,
  maxLength: DOMAIN_LENGTH_MAX,
  pattern: DOMAIN,
  description: "a domain name such as shop.example.com; internationalized names in their ASCII form (xn--)",
});

export const AddDomain = Strict({ domain: DomainName });
/** A name of another form is the domain of no alias. */
export const DomainParams = Strict({ id: Id, domain: Text({ maxLength: DOMAIN_LENGTH_MAX }) });
export type DomainParams = Static<typeof DomainParams>;

export const DomainProof = OneOf(["txt", "cname"] as const);
export type DomainProof = Static<typeof DomainProof>;

export const DomainState = OneOf(["pending", "verified", "failed"] as const);

const claim = {
  id: Id,
  domain: Type.String(),
  alias_id: Id,
  state: OneOf(
    ["pending", "verified", "failed"] as const,
    "verified: visitors of the domain reach the alias; pending: the proof is looked for; failed: it was not found for too long, and is looked for again when you ask",
  ),
  proof: Nullable(DomainProof),
  error: Nullable(Type.String({ description: "what the last look for the proof found" })),
  checked_at: Nullable(Timestamp),
  next_check_at: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: "when the proof is looked for again; null: when you ask",
    }),
  ),
  verified_at: Nullable(Timestamp),
  created_at: Timestamp,
};

/** A claim as its actor returns it. */
export const DomainClaim = Type.Object({ ...claim, token: Type.String() });
export type DomainClaim = Static<typeof DomainClaim>;

export const Domain = Type.Object({
  ...claim,
  alias: Type.String({ description: "the label of the alias" }),
  container_id: Id,
  url: Type.String({ description: "where visitors reach the alias by the domain" }),
  txt_name: Type.String({ description: "one proof: a TXT record of this name …" }),
  txt_value: Type.String({ description: "… with this value" }),
  cname_target: Type.String({ description: "the other proof: a CNAME of the domain that leads here" }),
});
export type Domain = Static<typeof Domain>;

export const DomainReply = Reply(Domain);
export const DomainsReply = Reply(Type.Object({ domains: Type.Array(Domain) }));

export const DOMAINS_SORT = sorting("created_at", { created_at: "time", domain: "text" });
export const DomainSort = sortKeys(DOMAINS_SORT);
export const DomainsQuery = Strict({
  state: Type.Optional(DomainState),
  alias_id: Type.Optional(Id),
  container_id: Type.Optional(Id),
  project_id: Type.Optional(Id),
  ...cursorQuery(LIST_PAGE, DOMAINS_SORT),
  ...searchQuery("the domain"),
});
export type DomainsQuery = Static<typeof DomainsQuery>;
export const DomainsPageReply = Reply(
  Type.Object({ domains: Type.Array(Domain), count: TotalCount, pagination: CursorPagination }),
);
