import { Type } from "@sinclair/typebox";
import type { ErrorCode } from "../../../schemas/errors.ts";
import { Origin } from "../../../schemas/origin.ts";
import { jsonOf } from "../../../schemas/received.ts";

/** The messages between a caller and an actor host, as JSON arrays of these items. */

export interface RequestItem {
  /** Chosen by the caller and returned with the reply. */
  readonly id: number;
  readonly partition: number;
  readonly epoch: number;
  readonly kind: string;
  readonly actor: string;
  readonly op: string;
  readonly key: string;
  /** True: the key is the client's own. False: minted by the caller for its own retries. */
  readonly hasClientKey: boolean;
  /** 0 on the first try. A minted key on its first try can have no receipt. */
  readonly attempt: number;
  /** The remaining time until the caller's deadline: a duration, since hosts' clocks may differ. */
  readonly ttlMs: number;
  readonly input: unknown;
  /** For logs and traces. */
  readonly origin?: Origin | undefined;
}

/**
 * An operation of every actor: aborts an operation that may be in flight (`AbortInput`). Replies with that
 * operation's reply, or ABORTED.
 */
export const ABORT = "$abort";

export interface AbortInput {
  readonly op: string;
  readonly key: string;
  /** The reply that is recorded for the operation if it was not done; ABORTED by default. */
  readonly reply?: ErrorReply;
}

export type ReplyMessage = { readonly id: number } & Reply;

export interface ErrorReply {
  readonly status: "error";
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

export type Reply =
  | { readonly status: "ok"; readonly value: unknown; readonly replayed: boolean; readonly version: number }
  | ErrorReply
  /** This host does not own the partition in this epoch: read the leases again. */
  | { readonly status: "moved" };

/** Messages cannot be larger than the transport allows (`max_payload`). */
const LENGTH_MAX = 8 * 1024 * 1024;

/** Checks the items' own fields. `input` and `value` are checked by the operation's definition. */
export const readRequests = jsonOf(
  Type.Unsafe<RequestItem[]>(
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        partition: Type.Integer(),
        epoch: Type.Integer(),
        kind: Type.String(),
        actor: Type.String(),
        op: Type.String(),
        key: Type.String(),
        hasClientKey: Type.Boolean(),
        attempt: Type.Integer(),
        ttlMs: Type.Number(),
        origin: Type.Optional(Origin),
      }),
    ),
  ),
  LENGTH_MAX,
);

export const readReplies = jsonOf(
  Type.Unsafe<ReplyMessage[]>(
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        status: Type.Union([Type.Literal("ok"), Type.Literal("error"), Type.Literal("moved")]),
      }),
    ),
  ),
  LENGTH_MAX,
);
