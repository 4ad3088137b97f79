import { createHash } from "node:crypto";
import type { DesiredFirewall } from "../../schemas/desired.ts";
import { run } from "../command.ts";
import { type ContainerLink, compile, compileRemoval, counterNames, tableOf } from "./compile.ts";

const LIST_TRIES_MAX = 5;

/** A container's table as the kernel has it. */
interface KernelTable {
  /** Hash of all that decides about packets: no handles, no counts. */
  readonly fingerprint: string;
  /** Names of the counters that belong to rules. */
  readonly counters: readonly string[];
}

const TABLE_OF_CONTAINER = /^fw_([0-9a-f]{24})$/;

/** The kernel's packet filter, as far as it concerns containers: tables named `fw_<container>`, family inet. */
export class PacketFilter {
  readonly #nft: readonly string[];
  /** Counters of rules that each table has, as last seen: what an update has to tidy away. */
  readonly #counters = new Map<string, readonly string[]>();

  /** @param nft how nft is started; with a prefix when the host is another network namespace */
  constructor(nft: readonly string[] = ["nft"]) {
    this.#nft = nft;
  }

  /**
   * Puts a container's rules in force, at once and as a whole, also before its interface exists. Counters of
   * rules that stay keep their counts.
   *
   * @throws CompileError, CommandError; then the former rules are in force
   */
  async apply(desired: DesiredFirewall, link: ContainerLink): Promise<void> {
    const id = desired.container_id;
    const replacement = compile(desired, link, { kind: "replace" });
    const present = this.#counters.get(id);
    if (present === undefined) {
      await this.load(replacement);
    } else {
      const update = compile(desired, link, { kind: "update", counters: present });
      // An update builds on what the table was; when someone changed that, only a new table is sure to be right.
      await this.load(update).catch(() => this.load(replacement));
    }
    this.#counters.set(id, counterNames(desired));
  }

  /** Like `apply`, on no assumption about the present table: for one that is not what was applied. */
  async restore(desired: DesiredFirewall, link: ContainerLink): Promise<void> {
    this.#counters.delete(desired.container_id);
    await this.apply(desired, link);
  }

  /** Removes a container's table: it is open. Fine when there is none. */
  async detach(containerId: string): Promise<void> {
    await this.load(compileRemoval(containerId));
    this.#counters.delete(containerId);
  }

  /** The container's table as it is now; null when there is none. */
  async inspect(containerId: string): Promise<KernelTable | null> {
    const name = tableOf(containerId);
    const listed = await this.#list("table", "inet", name).catch((error: Error) => {
      if (error.message.includes("No such file or directory")) return null;
      throw error;
    });
    const table = listed?.get(containerId);
    if (table === undefined) return null;
    this.#counters.set(containerId, table.counters);
    return table;
  }

  /** The tables of all containers on this host, by container id: one process, however many there are. */
  async inspectAll(): Promise<Map<string, KernelTable>> {
    const all = await this.#list("ruleset", "inet");
    for (const [id, { counters }] of all) {
      // What is known from an apply may be newer than this listing.
      if (!this.#counters.has(id)) this.#counters.set(id, counters);
    }
    return all;
  }

  async #list(...what: string[]): Promise<Map<string, KernelTable>> {
    for (let tries = 1; ; tries++) {
      const listing = await run([...this.#nft, "-j", "list", ...what]);
      try {
        return tables(listing);
      } catch (error) {
        // A ruleset that others change while it is listed was seen to arrive cut off, with exit code 0.
        if (tries === LIST_TRIES_MAX) throw error;
      }
    }
  }

  /** Loads nft text: all of it or, when it is refused, nothing. Throws CommandError with nft's reason. */
  async load(text: string): Promise<void> {
    await run([...this.#nft, "-f", "-"], text);
  }
}

function tables(listing: string): Map<string, KernelTable> {
  const parts = new Map<string, string[]>();
  const counters = new Map<string, string[]>();
  for (const item of items(listing)) {
    const [kind, body] = Object.entries(item)[0] ?? [];
    if (kind === undefined || !isRecord(body)) continue;
    const id = TABLE_OF_CONTAINER.exec(String(kind === "table" ? body.name : body.table))?.[1];
    if (id === undefined) continue;
    if (kind === "counter" && String(body.name).startsWith("r_")) append(counters, id, String(body.name));
    append(parts, id, `${kind} ${JSON.stringify(lasting(body))}`);
  }
  return new Map(
    [...parts].map(([id, lines]) => {
      const fingerprint = createHash("sha256").update(inOrder(lines).join("\n")).digest("hex");
      return [id, { fingerprint, counters: counters.get(id) ?? [] }];
    }),
  );
}

function items(listing: string): Record<string, unknown>[] {
  // What nft says when there is no table at all.
  if (listing.trim() === "") return [];
  const parsed: unknown = JSON.parse(listing);
  const list = isRecord(parsed) ? parsed.nftables : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Without what changes from one load to the next, though the rules are the same. */
function lasting(body: Record<string, unknown>): Record<string, unknown> {
  const { handle: _handle, packets: _packets, bytes: _bytes, ...rest } = body;
  return rest;
}

/** Rules decide by their order; everything else has names, and the kernel lists it in an order of its own. */
function inOrder(lines: readonly string[]): string[] {
  const isRule = (line: string) => line.startsWith("rule ");
  return [...lines.filter((line) => !isRule(line)).sort(), ...lines.filter(isRule)];
}

function append(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
