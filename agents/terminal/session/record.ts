import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { SIZE } from "./protocol.ts";

/** A process that was running before its session, which moved it to the session's terminal. */
const ShownProcess = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** Identifies the process together with its id, which may be reused later. */
  startTime: Type.String(),
});
export type ShownProcess = Static<typeof ShownProcess>;

/** A session's properties, apart from its program and screen. */
export const SessionRecord = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  description: Type.String(),
  user: Type.Union([Type.String(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
  backgroundColor: Type.String(),
  createdAt: Type.String(),
  cols: Type.Integer({ minimum: SIZE.min.cols, maximum: SIZE.max.cols }),
  rows: Type.Integer({ minimum: SIZE.min.rows, maximum: SIZE.max.rows }),
  /** Where the program runs: when a container is restarted, sessions of its previous run are over. */
  location: Type.String(),
  shown: Type.Optional(ShownProcess),
});
export type SessionRecord = Static<typeof SessionRecord>;

const LENGTH_BYTES = 4;

/** @param snapshot of its screen; empty when nothing has been shown */
export function writeRecord(record: SessionRecord, snapshot: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(record));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, snapshot]);
}

/** Null when it cannot be read; an agent of another version may have written it. */
export function readRecord(bytes: Uint8Array): { record: SessionRecord; snapshot: Uint8Array } | null {
  const all = Buffer.from(bytes);
  if (all.length < LENGTH_BYTES) return null;
  const end = LENGTH_BYTES + all.readUInt32LE();
  try {
    const record: unknown = JSON.parse(all.subarray(LENGTH_BYTES, end).toString());
    return Value.Check(SessionRecord, record) ? { record, snapshot: all.subarray(end) } : null;
  } catch {
    return null;
  }
}
