import { type TSchema, Type } from "@sinclair/typebox";

/** The success envelope with data (spec, control plane §1.2). */
export const Reply = <T extends TSchema>(data: T) =>
  Type.Object({ statusCode: Type.Integer(), message: Type.String(), data });

/** The success envelope without data, such as that of some deletions. */
export const EmptyReply = Type.Object({ statusCode: Type.Integer(), message: Type.String() });

/** The error envelope (spec, control plane §1.3) with two additions: a machine `code`, and `data` where it helps a program. */
export const ErrorReply = Type.Object({
  statusCode: Type.Integer(),
  error: Type.String({ description: "the status in words" }),
  message: Type.String(),
  code: Type.String({ description: "machine code" }),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
