import type { Io } from "../io.ts";
import { shown } from "./format.ts";
import { printable, table } from "./table.ts";

/** How a noun's rows are shown: a title and a value for each column. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** How the things in lists of a record are shown. */
type ListTexts<T> = {
  readonly [K in keyof T]?: T[K] extends readonly (infer One)[] ? (one: One) => string : never;
};

export interface OutputOptions {
  readonly json?: true | undefined;
  readonly quiet?: true | undefined;
}

/** Writes results: for people, as JSON, or as ids alone. */
export class Printer {
  constructor(
    readonly io: Io,
    readonly options: () => OutputOptions,
  ) {}

  async list<Row>(rows: readonly Row[], columns: Columns<Row>, empty: string): Promise<void> {
    if (this.options().json) return this.json(rows);
    if (this.options().quiet) return this.#ids(rows);
    if (rows.length === 0) return this.note(empty);
    const cells = rows.map((row) => Object.values(columns).map((value) => value(row)));
    await this.io.out(table(Object.keys(columns), cells, this.io.columns));
  }

  /**
   * Every field of a record, a line each.
   *
   * @param lists how the things in its lists are shown, a line each
   */
  async record<T extends object>(record: T, lists: ListTexts<T> = {}): Promise<void> {
    if (this.options().json) return this.json(record);
    if (this.options().quiet) return this.#ids([record]);
    const described = Object.entries(lists) as [string, (one: unknown) => string][];
    const rest = Object.fromEntries(Object.entries(record).filter(([name]) => !(name in lists)));
    await this.#lines([
      ...flatten(rest),
      ...described.flatMap(([name, text]): [name: string, value: string][] => {
        const things = (record as Record<string, readonly unknown[]>)[name] ?? [];
        return things.length === 0
          ? [[name, "-"]]
          : things.map((one, index) => [`${name}.${index + 1}`, text(one)]);
      }),
    ]);
  }

  /** What people want to know of a record, by its titles; the whole of it as JSON. */
  async details(record: object, shown: Readonly<Record<string, string>>): Promise<void> {
    if (this.options().json || this.options().quiet) return this.record(record);
    await this.#lines(Object.entries(shown).filter(([, value]) => value !== ""));
  }

  async #lines(fields: readonly (readonly [name: string, value: string])[]): Promise<void> {
    const width = Math.max(...fields.map(([name]) => name.length));
    const lines = fields.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}\n`.trimStart());
    await this.io.out(lines.join(""));
  }

  /** A change that was made: a sentence for people, and the record for programs. */
  async done(sentence: string, record: object): Promise<void> {
    if (this.options().json) return this.json(record);
    if (this.options().quiet) return this.#ids([record]);
    await this.io.out(`${printable(sentence)}\n`);
  }

  async json(value: unknown): Promise<void> {
    await this.io.out(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** For people, beside the result. */
  note(sentence: string): void {
    if (!this.options().quiet && !this.options().json) this.io.err(`${printable(sentence)}\n`);
  }

  async #ids(rows: readonly unknown[]): Promise<void> {
    const ids = rows.map((row) => (row as { id?: unknown }).id).filter((id) => typeof id === "string");
    if (ids.length > 0) await this.io.out(`${ids.join("\n")}\n`);
  }
}

/** `services: {pipe: …}` becomes `services.pipe`; lists stay on one line. */
function flatten(record: object, prefix = ""): [name: string, value: string][] {
  return Object.entries(record).flatMap(([key, value]): [string, string][] => {
    const name = prefix + key;
    if (value === null || value === undefined) return [[name, "-"]];
    if (Array.isArray(value))
      return [
        [
          name,
          value.map((one) => (typeof one === "object" ? JSON.stringify(one) : shown(name, one))).join(", ") ||
            "-",
        ],
      ];
    if (typeof value === "object")
      return Object.keys(value).length === 0 ? [[name, "-"]] : flatten(value, `${name}.`);
    return [[name, shown(name, value)]];
  });
}
