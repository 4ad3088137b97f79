import { createHash } from "node:crypto";

/** The kernel's state of one container. */
export interface KernelFirewall {
  /** A hash of everything that decides on its packets, including the shared chains; without handles and counters. */
  readonly fingerprint: string;
  /** The counters of its rules and of its defaults. */
  readonly counts: Counts;
}

/** By the counter's name. */
export type Counts = ReadonlyMap<string, { readonly packets: number; readonly bytes: number }>;

/** An agent's table in the kernel. */
export interface KernelTable {
  readonly containers: ReadonlyMap<string, KernelFirewall>;
  readonly counts: Counts;
  /** Counters without a rule, which removed rules leave behind. */
  readonly idle: readonly string[];
}

const COUNTER_NAME = /^\tcounter (\S+) \{/;
const COUNT = /^\tcounter (\S+) \{\n\t\tpackets (\d+) bytes (\d+)$/m;
const CHAIN = /^\tchain (?:egress|ingress)_([0-9a-f]{24}) \{/;
const MAP = /^\tmap (egress_by_iface|ingress_by_iface) \{/;
const USED_COUNTER = /\bcounter name "?(\w+)"?/g;
const ELEMENTS = /\n\t\telements = \{([^}]*)\}/;
const ELEMENT = /^"\w+" : jump (egress|ingress)_([0-9a-f]{24})$/;
const CHAIN_OF_MAP: Record<string, string> = { egress_by_iface: "egress", ingress_by_iface: "ingress" };

/**
 * Reads what `nft list table` prints, with `-s` or without. Whatever is not known to belong to one container counts as shared by all:
 * a change of it is a change of the firewall of each. (Its JSON is no alternative: nft 1.0.6 breaks off, with exit code 0, at a table
 * that somebody made dormant.)
 *
 * @returns null when there is no such table
 */
export function readListing(listing: string, table: string): KernelTable | null {
  const parts = partsOf(listing, table);
  if (parts === null) return null;
  const own = new Map<string, string[]>();
  const shared: string[] = [];
  const counters: string[] = [];
  for (const part of parts) {
    const counter = COUNTER_NAME.exec(part)?.[1];
    const chainOf = CHAIN.exec(part)?.[1];
    const map = MAP.exec(part)?.[1];
    if (counter !== undefined) counters.push(counter);
    else if (chainOf !== undefined) add(own, chainOf, part);
    else if (map !== undefined) shared.push(withoutElements(part, map, own));
    else shared.push(part);
  }
  const counts: Counts = new Map(parts.flatMap(countOf));
  const frame = digest(shared);
  const used = new Set<string>();
  const containers = new Map<string, KernelFirewall>();
  for (const [id, texts] of own) {
    const names = texts.flatMap((text) => [...text.matchAll(USED_COUNTER)].map(([, name = ""]) => name));
    for (const name of names) used.add(name);
    const known = names.flatMap((name) => {
      const count = counts.get(name);
      return count === undefined ? [] : [[name, count] as const];
    });
    containers.set(id, { fingerprint: digest([frame, ...texts]), counts: new Map(known) });
  }
  return { containers, counts, idle: counters.filter((name) => !used.has(name)) };
}

/** The table's chains, maps, counters and settings, each as one text. */
function partsOf(listing: string, table: string): string[] | null {
  const head = `table inet ${table} {`;
  let parts: string[] | null = null;
  for (const line of listing.split("\n")) {
    if (parts === null) {
      if (line === head) parts = [];
    } else if (line === "}") return parts;
    else if (line.startsWith("\t\t") || line === "\t}") parts.push(`${parts.pop() ?? ""}\n${line}`);
    else if (line !== "") parts.push(line);
  }
  return parts;
}

/** Assigns each element of a map to the container of its chain; other elements stay in the shared part. */
function withoutElements(part: string, map: string, own: Map<string, string[]>): string {
  const [text = "", inner = ""] = ELEMENTS.exec(part) ?? [];
  const strange: string[] = [];
  for (const element of inner.split(",").map((one) => one.trim())) {
    const [, chain, id] = ELEMENT.exec(element) ?? [];
    if (id !== undefined && chain === CHAIN_OF_MAP[map]) add(own, id, `${map}: ${element}`);
    else if (element !== "") strange.push(element);
  }
  return [part.replace(text, ""), ...strange.sort()].join("\n");
}

/** Sorts the named parts, whose order in the listing is arbitrary, before hashing. The order within a chain is kept. */
const digest = (texts: readonly string[]) =>
  createHash("sha256").update(texts.toSorted().join("\n")).digest("hex");

function add(lists: Map<string, string[]>, id: string, text: string): void {
  const list = lists.get(id);
  if (list) list.push(text);
  else lists.set(id, [text]);
}

function countOf(part: string): [string, { packets: number; bytes: number }][] {
  const [, name, packets, bytes] = COUNT.exec(part) ?? [];
  return name === undefined ? [] : [[name, { packets: Number(packets), bytes: Number(bytes) }]];
}
