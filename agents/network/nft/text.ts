/**
 * nft's language as all of Berth writes it: tables of the family inet, a chain as one block with its rules. Names and values are
 * checked where they come from outside.
 */

/** A value that may not enter nft text. What it belongs to is refused as a whole. */
export class CompileError extends Error {
  override readonly name = "CompileError";
}

const TABLE = /^berth_(?:fw|nat)_[0-9a-z_]{1,40}$/;

/** @throws CompileError */
export function checked(form: RegExp, text: string, what: string): string {
  if (!form.test(text)) throw new CompileError(`not a ${what}: ${JSON.stringify(text).slice(0, 80)}`);
  return text;
}

/** A table as commands name it. */
export const inet = (table: string) => `inet ${checked(TABLE, table, "table")}`;

/** A chain with its rules. Chains that it jumps to come before it. */
export const chain = (table: string, name: string, lines: readonly string[]) =>
  `add chain ${table} ${name} {\n${lines.map((line) => `  ${line};\n`).join("")}}`;

/** The first line of a chain that the kernel calls by itself; what no rule decides is accepted. */
export const hook = (name: string, priority: string, type: "filter" | "nat" = "filter") =>
  `type ${type} hook ${name} priority ${priority}; policy accept`;

/** Removes a table, whether it is there or not. */
export const removal = (table: string) => `add table ${table}\ndelete table ${table}\n`;
