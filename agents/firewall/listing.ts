import { createHash } from "node:crypto";

/** A container's table as the kernel has it. */
export interface KernelTable {
  /** Hash of all that decides about packets: no handles, no counts. */
  readonly fingerprint: string;
  /** Names of the counters that belong to rules. */
  readonly counters: readonly string[];
  /** What each counter has counted, also those that belong to no rule. */
  readonly counts: Counts;
}

/** By the counter's name. */
export type Counts = ReadonlyMap<string, { readonly packets: number; readonly bytes: number }>;

const TABLE = /^table inet fw_([0-9a-f]{24}) \{$/;
const TABLE_NAME = /^table inet fw_([0-9a-f]{24}) \{$/gm;
const RULE_COUNTER = /^\tcounter (r_\S+) \{/;
const COUNT = /^\tcounter (\S+) \{\n\t\tpackets (\d+) bytes (\d+)$/m;
const COUNT_LINE = /\n\t\tpackets \d+ bytes \d+$/gm;

/**
 * Reads what `nft list` prints, with `-s` or without: the tables named `fw_<container>`, by container id. (Its JSON is no alternative: nft 1.0.6
 * breaks off, with exit code 0, at a table that somebody made dormant.)
 */
export function readListing(listing: string): Map<string, KernelTable> {
  const found = new Map<string, KernelTable>();
  let id: string | undefined;
  let parts: string[] = [];
  for (const line of listing.split("\n")) {
    if (!line.startsWith("\t") && line !== "") {
      if (line === "}" && id !== undefined) found.set(id, tableOf(parts));
      id = TABLE.exec(line)?.[1];
      parts = [];
    } else if (line.startsWith("\t\t") || line === "\t}") {
      // Belongs to the chain, set or counter that was begun.
      parts.push(`${parts.pop() ?? ""}\n${line}`);
    } else if (line !== "") parts.push(line);
  }
  return found;
}

/** The containers whose tables `nft list chains` names. */
export const readTables = (listing: string): Set<string> =>
  new Set(listing.matchAll(TABLE_NAME).map(([, id = ""]) => id));

/** Chains and counters have names, and the kernel lists them in an order of its own; within a chain order decides. */
function tableOf(parts: readonly string[]): KernelTable {
  const lasting = parts.map((part) => (part.startsWith("\tcounter ") ? part.replace(COUNT_LINE, "") : part));
  return {
    fingerprint: createHash("sha256").update(lasting.sort().join("\n")).digest("hex"),
    counters: parts.flatMap((part) => RULE_COUNTER.exec(part)?.[1] ?? []),
    counts: new Map(parts.flatMap(countOf)),
  };
}

function countOf(part: string): [string, { packets: number; bytes: number }][] {
  const [, name, packets, bytes] = COUNT.exec(part) ?? [];
  return name === undefined ? [] : [[name, { packets: Number(packets), bytes: Number(bytes) }]];
}
