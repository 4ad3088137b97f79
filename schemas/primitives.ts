import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Text } from "./text.ts";

export const ID_LENGTH = 24;
export const ID_PATTERN = /^[0-9a-f]{24}$/;

/** 24 lower-case hexadecimal characters: the form of every record's id (spec, control plane §1.4). */
export const Id = Type.String({ pattern: ID_PATTERN.source, description: "24 hexadecimal characters" });

/** ISO 8601 UTC with milliseconds, `2026-01-31T09:30:00.000Z` (spec, control plane §1.5). */
export const Timestamp = Type.String({
  description: "ISO 8601 UTC with milliseconds",
  examples: ["2026-01-31T09:30:00.000Z"],
});

/**
 * USD as text: digits, then at most two decimals. No sign, no exponent, no leading zeros.
 * Twelve digits before the point keep every sum of cents far below the maximum of a bigint column.
 */
export const Amount = Type.String({
  pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,2})?$",
  description: "an amount in USD with at most two decimals, such as 25 or 25.50",
  examples: ["25.00"],
});

/** A decimal string in a reply: a balance or an amount, always with at least two decimals. */
export const Decimal = Type.String({ description: "decimal string, USD", examples: ["475.00"] });

/** 1 to 128 characters, at least one of them not white space (spec, control plane §8). */
export const IdempotencyKey = Text({
  minLength: 1,
  maxLength: 128,
  pattern: "\\S",
  description:
    "1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice",
});

/** One of the given words. */
export const OneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      description === undefined ? {} : { description },
    ),
  );

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Beside the `server_name` of a thing, which is that of its host. */
export const SubserverName = Nullable(
  Type.String({ description: "the subserver that it is on; null: the server itself" }),
);

/** An object that refuses unknown keys: the form of every request body, query and path. */
export const Strict = <T extends Parameters<typeof Type.Object>[0]>(
  properties: T,
  options: { description?: string; minProperties?: number } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

/** `{id}` in a path: the id of a record. */
export const IdParams = Strict({ id: Id });
export type IdParams = Static<typeof IdParams>;
