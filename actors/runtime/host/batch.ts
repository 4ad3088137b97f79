import type { Commit, OutboxRow, TableWrites } from "../ports.ts";
import type { Activation, Change } from "./activation.ts";
import { tableWrites } from "./changes.ts";

/** The last sequence number of each partition. */
export type Sequences = Map<number, number>;

/**
 * Ends the filling of a batch: fixes each root row as it is now and moves the changes from `open` to `committing`.
 * Sorted by address, so that batches of two hosts lock rows in one order. Changes whose row cannot be built are returned apart.
 */
export function closeBatch(activations: Iterable<Activation>): {
  changes: Change[];
  faulty: { change: Change; error: unknown }[];
} {
  const changes: Change[] = [];
  const faulty: { change: Change; error: unknown }[] = [];
  for (const activation of activations) {
    const change = activation.open;
    if (change === undefined) continue;
    activation.open = undefined;
    activation.committing = change;
    try {
      fixRoot(activation, change);
      changes.push(change);
    } catch (error) {
      faulty.push({ change, error });
    }
  }
  changes.sort((a, b) =>
    a.activation.id < b.activation.id ? -1 : a.activation.id > b.activation.id ? 1 : 0,
  );
  return { changes, faulty };
}

function fixRoot(activation: Activation, change: Change): void {
  if (change.changedAt === undefined) return;
  const { state, id } = activation;
  const row = state === null ? null : activation.definition.table.row(id, state, change.changedAt);
  const { key } = activation.definition.table;
  if (row !== null && row[key] !== activation.id)
    throw new Error(`${activation.address} made a row of ${String(row[key])}`);
  change.root = {
    row: row === null ? null : { ...row, version: activation.version, base_version: change.baseVersion },
  };
  // An actor without a row starts at version 0: its next row is an insert.
  if (row === null) activation.version = 0;
}

/** The commit of these changes and its outbox rows, whose numbers continue `sequences`. It does not change `sequences`. */
export function toCommit(
  owner: string,
  changes: readonly Change[],
  sequences: Sequences,
  now: Date,
): { commit: Commit; effects: OutboxRow[] } {
  const writes = new Map<string, TableWrites>();
  const leases = new Map<number, number>();
  const next: Sequences = new Map();
  const effects: OutboxRow[] = [];

  for (const change of changes) {
    const { activation, root, baseVersion } = change;
    leases.set(activation.partition, activation.epoch);
    if (root !== undefined) {
      const table = tableWrites(writes, activation.definition.table.name);
      if (root.row === null) {
        if (baseVersion > 0) table.remove.push({ ...rootKey(activation), base_version: baseVersion });
      } else {
        (baseVersion === 0 ? table.insert : table.update).push(root.row);
      }
    }
    change.rows.collect(writes);
    if (change.receipts.length > 0) tableWrites(writes, "receipts").insert.push(...change.receipts);
    for (const { topic, body, origin } of change.effects) {
      const seq = (next.get(activation.partition) ?? sequences.get(activation.partition) ?? 0) + 1;
      next.set(activation.partition, seq);
      effects.push({ partition: activation.partition, seq, topic, body, origin });
    }
  }
  if (effects.length > 0) {
    tableWrites(writes, "outbox").insert.push(...effects.map((effect) => ({ ...effect, created_at: now })));
  }
  const held = [...leases]
    .map(([partition, epoch]) => ({ partition, epoch }))
    .sort((a, b) => a.partition - b.partition);
  return { commit: { owner, leases: held, writes }, effects };
}

/** Advances `sequences` after a commit. Never moves back: the partition may have left and returned before the reply of the commit came. */
export function advanceSequences(sequences: Sequences, effects: readonly OutboxRow[]): void {
  for (const { partition, seq } of effects) {
    sequences.set(partition, Math.max(seq, sequences.get(partition) ?? 0));
  }
}

const rootKey = (activation: Activation) => ({ [activation.definition.table.key]: activation.id });
