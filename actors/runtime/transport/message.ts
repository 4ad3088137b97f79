import { type TSchema, Type } from "@sinclair/typebox";
import type { ActorHandle } from "../client.ts";
import type { Definition, Message } from "../definition.ts";

type Messages<D> = {
  [Op in keyof ActorHandle<D>]: ActorHandle<D>[Op] extends (input: infer I, ...rest: never[]) => unknown
    ? (input: I) => Message
    : never;
};

/**
 * Addresses messages to actors of another kind, with the types of its definition:
 *
 *     const wallets = messagesTo<typeof wallet>("wallet");
 *     ctx.send("charge", wallets(userId).charge({ amount: "25" }), { onReply: "charged" });
 */
export function messagesTo<D extends Definition>(kind: D["kind"]): (actor: string) => Messages<D> {
  return (actor) =>
    new Proxy({} as Messages<D>, {
      get: (_messages, op) => (input: object) => ({ kind, actor, op: String(op), input }),
    });
}

/** The input of an operation that receives the reply to a send: the reply, and the send's context. */
export const ReplyTo = <Output extends TSchema, Context extends TSchema>(output: Output, context: Context) =>
  Type.Object({
    context,
    reply: Type.Union([
      Type.Object({ status: Type.Literal("ok"), value: output }),
      Type.Object({
        status: Type.Literal("error"),
        code: Type.String(),
        message: Type.String(),
        data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ]),
  });
