/**
 * The parts of nft text: tables of the family inet, and chains as one block with their rules. Names and values from
 * outside are checked.
 */

/** A value that must not enter nft text. Its whole rule set is refused. */
export class CompileError extends Error {
  override readonly name = "CompileError";
}

const TABLE = /^berth_(?:fw|nat)_[0-9a-z_]{1,40}$/;

/** @throws CompileError */
export function checked(form: RegExp, text: string, what: string): string {
  if (!form.test(text)) throw new CompileError(`not a ${what}: ${JSON.stringify(text).slice(0, 80)}`);
  return text;
}

/** The name of a table in commands. */
export const inet = (table: string) => `inet ${checked(TABLE, table, "table")}`;

/** A chain with its rules. Chains that it jumps to come before it. */
export const chain = (table: string, name: string, lines: readonly string[]) =>
  `add chain ${table} ${name} {\n${lines.map((line) => `  ${line};\n`).join("")}}`;

/** The first line of a base chain; packets that no rule decides are accepted. */
export const hook = (name: string, priority: string, type: "filter" | "nat" = "filter") =>
  `type ${type} hook ${name} priority ${priority}; policy accept`;

/** Commands that remove a table, whether or not it exists. */
export const removal = (table: string) => `add table ${table}\ndelete table ${table}\n`;
