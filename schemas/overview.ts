import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "./envelope.ts";
import { OneOf } from "./primitives.ts";

/** What an operator has, and what waits for an operator (design §3 "Operator's surface"). */

/** How many things an item of `attention` names. */
export const NAMES_MAX = 5;

/** What waits for an operator: that which hurts users most comes first. */
export const ATTENTION_KINDS = [
  "actors_quarantined",
  "partitions_without_owner",
  "hosts_not_heard_of",
  "tasks_failing",
  "certificates_failing",
  "rentals_without_host",
  "reservations_overdue",
  "reservations_to_deliver",
  "payments_to_review",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export const Attention = Type.Object({
  kind: OneOf(
    ATTENTION_KINDS,
    "`hosts_not_heard_of`: silent or offline; `rentals_without_host`: rented servers whose host has not joined; `reservations_to_deliver`: paid, and not due yet",
  ),
  count: Type.Integer({ minimum: 1 }),
  names: Type.Array(Type.String(), {
    maxItems: NAMES_MAX,
    description: "the first of them, as their page shows them; empty where they have no names",
  }),
});
export type Attention = Static<typeof Attention>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const Holdings = Type.Object({
  users: Count("accounts that are neither suspended nor deleted"),
  hosts: Count("machines that run an agent"),
  hosts_online: Count("those that answer"),
  servers: Count("servers of the stock that are not retired"),
  servers_rented: Count("those that are rented"),
  containers: Count("containers that are not deleted"),
  containers_running: Count("those that run"),
});
export type Holdings = Static<typeof Holdings>;

export const OverviewReply = Reply(
  Type.Object({
    holdings: Holdings,
    attention: Type.Array(Attention, {
      maxItems: ATTENTION_KINDS.length,
      description: "what waits for an operator, one item a kind, the most urgent first; empty: nothing",
    }),
  }),
);
