import type { StockServer } from "../../schemas/market/server.ts";

/** The columns of a file of servers: where each value is, and how it is written as text and read again. */

/** What a row says of a server: the part of it that an operator can change. */
export interface StockDraft {
  specs: Record<string, unknown>;
  prices: Record<string, number>;
  setup_fee_cents: number;
  delivered_by_hand: boolean;
}

/** A cell that cannot be read. */
export class CellError extends Error {}

interface Format {
  /** @throws CellError */
  read(cell: string): unknown;
  write(value: unknown): string;
}

export interface Column extends Format {
  readonly name: string;
  /** The place of the value in a draft. */
  readonly path: readonly string[];
  /** The value of an empty cell; undefined: the draft then has none. */
  readonly empty?: unknown;
}

const text: Format = { read: (cell) => cell, write: String };

const number: Format = {
  read(cell) {
    if (!/^\d{1,15}(\.\d{1,6})?$/.test(cell)) throw new CellError("must be a number such as 8 or 0.5");
    return Number(cell);
  },
  write: String,
};

const flag: Format = {
  read(cell) {
    // Spreadsheets write them in capitals.
    const word = cell.toLowerCase();
    if (word !== "true" && word !== "false") throw new CellError("must be true or false");
    return word === "true";
  },
  write: String,
};

const usd: Format = {
  read(cell) {
    const [, dollars, fraction = ""] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(cell) ?? [];
    if (dollars === undefined) throw new CellError("must be USD such as 25 or 25.50");
    return Number(dollars) * 100 + Number(fraction.padEnd(2, "0"));
  },
  write: (cents) => (Number(cents) / 100).toFixed(2),
};

const UNLIMITED = "unlimited";
const traffic: Format = {
  read: (cell) => (cell.toLowerCase() === UNLIMITED ? null : number.read(cell)),
  write: (value) => (value === null ? UNLIMITED : String(value)),
};

interface Disk {
  readonly type: string;
  readonly size_gb: number;
}
const disks: Format = {
  read: (cell) =>
    cell.split(/\s+/).map((disk) => {
      const [, type, size] = /^([a-z]+):(\d{1,9})$/.exec(disk) ?? [];
      if (size === undefined) throw new CellError("must be disks with their GB, such as `nvme:960 hdd:4000`");
      return { type, size_gb: Number(size) };
    }),
  write: (value) => (value as Disk[]).map(({ type, size_gb }) => `${type}:${size_gb}`).join(" "),
};

const spec = (name: string, format: Format): Column => ({ name, path: ["specs", name], ...format });
const score = (name: string): Column => ({ name, path: ["specs", "cpu_scores", name], ...number });

/** Columns that an import can change. Those of prices are made by `priceColumn`. */
export const COLUMNS: readonly Column[] = [
  { name: "delivered_by_hand", path: ["delivered_by_hand"], empty: false, ...flag },
  { name: "setup_fee", path: ["setup_fee_cents"], empty: 0, ...usd },
  spec("country", text),
  spec("region", text),
  spec("city", text),
  spec("cpu_model", text),
  spec("cpu_cores", number),
  score("passmark"),
  score("geekbench_single"),
  score("geekbench_multi"),
  spec("ram_gb", number),
  spec("ram_type", text),
  spec("disks", disks),
  spec("bandwidth_mbps", number),
  spec("traffic_tb", traffic),
  spec("category", text),
  spec("featured", flag),
];

const PRICE = /^price_([1-9][0-9]{0,3})$/;

/** `price_30` is the price of 30 days. */
export const priceColumn = (days: string): Column => ({
  name: `price_${days}`,
  path: ["prices", days],
  ...usd,
});

export function columnNamed(name: string): Column | undefined {
  const [, days] = PRICE.exec(name) ?? [];
  return days === undefined ? COLUMNS.find((column) => column.name === name) : priceColumn(days);
}

/** Columns that say which server a row is of. Of a server that exists they cannot be changed. */
export const IDENTITY_COLUMNS = ["id", "revision", "name", "kind", "parent_id"] as const;

export const draftOf = (server: StockServer): StockDraft =>
  structuredClone({
    specs: server.specs,
    prices: server.prices,
    setup_fee_cents: server.setup_fee_cents,
    delivered_by_hand: server.delivered_by_hand,
  });

/** The text of a cell; empty where the draft has no value. */
export function cellOf(draft: StockDraft, { path, write }: Column): string {
  let value: unknown = draft;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  return value === undefined ? "" : write(value);
}

/** Sets the value of a cell. An empty one removes it. @throws CellError */
export function setCell(draft: StockDraft, { path, empty, read }: Column, cell: string): void {
  const value = cell === "" ? empty : read(cell);
  const [last = "", ...outer] = path.toReversed();
  let place = draft as unknown as Record<string, unknown>;
  for (const key of outer.toReversed()) {
    if (value === undefined && place[key] === undefined) return;
    place[key] ??= {};
    place = place[key] as Record<string, unknown>;
  }
  if (value === undefined) delete place[last];
  else place[last] = value;
}
