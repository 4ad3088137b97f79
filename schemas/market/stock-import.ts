import { type Static, Type } from "@sinclair/typebox";
import { Reply } from "../envelope.ts";
import { QueryFlag } from "../paging.ts";
import { Id, Nullable, OneOf, Strict } from "../primitives.ts";
import { AddServer, ChangeServer } from "./server.ts";

/** The stock as CSV, and changes of many servers by CSV (docs/decisions/0067-stock-in-bulk.md). */

/** A file with this many servers has some 300 KB. Larger stocks are changed in several files. */
export const STOCK_ROWS_MAX = 2_000;
/** Servers that one import adds or changes: their messages stay far below the largest that NATS carries. */
export const STOCK_CHANGES_MAX = 300;
export const STOCK_BYTES_MAX = 1024 * 1024;
/** People mend a few cells at a time. */
export const CSV_ERRORS_MAX = 50;

/** Tells apart what a server's operator can change: two servers with the same specs and prices have the same. */
export const StockRevision = Type.String({ pattern: "^[0-9a-f]{16}$" });

/** What an import does to one server. */
export const StockStep = Strict({
  server_id: Id,
  /** Of the server as the file shows it; null: the server is new. */
  revision: Nullable(StockRevision),
  add: Nullable(AddServer),
  change: Nullable(Strict(ChangeServer.properties)),
});
export type StockStep = Static<typeof StockStep>;

const Refusal = Type.Object({ server_id: Id, code: Type.String(), message: Type.String() });
export type StockRefusal = Static<typeof Refusal>;
/** The reply to an import: empty where every change was applied. */
export const StockImportOutcome = Type.Object({ refusals: Type.Array(Refusal) });

export const ImportStockQuery = Strict({
  dry_run: Type.Optional(
    Type.Unsafe<"true" | "false">({
      ...QueryFlag,
      description: "`true`: the file is only checked, and the reply says what it would change",
    }),
  ),
});

const Cell = Nullable(Type.String());
const StockChange = Type.Object({
  line: Type.Integer({ description: "the line of the file" }),
  id: Nullable(Type.Unsafe<string>({ ...Id, description: "null: the server is new" })),
  name: Type.String(),
  action: OneOf(["add", "change"]),
  cells: Type.Array(Type.Object({ column: Type.String(), before: Cell, after: Cell }), {
    description: "the cells that differ, as text",
  }),
});
export type StockChange = Static<typeof StockChange>;

export const StockImport = Type.Object({
  dry_run: Type.Boolean(),
  replayed: Type.Boolean({ description: "the key was used before; nothing was changed again" }),
  added: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  changes: Type.Array(StockChange, {
    description: "what was changed, or would be; empty where the reply is replayed",
  }),
});
export type StockImport = Static<typeof StockImport>;
export const StockImportReply = Reply(StockImport);
