import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Processes of the version before run beside a migrated database: a migration adds, and takes nothing away (docs/operations/upgrades.md). */

const FOLDER = join(import.meta.dir, "../../../../actors/platform/db/migrations");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** A migration that takes away says so, and since which earlier one nobody uses it: `-- contracts: wallets.old, unused since 0030_silent_hosts.sql` */
const MARK = /^-- contracts: ([a-z_]+(?:\.[a-z_]+)?), unused since (\S+\.sql)$/gm;

/** Bodies of functions, texts and comments are no statements of the migration. */
const statementsOf = (sql: string): string[] =>
  sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--.*$/gm, "")
    .replace(/'(?:[^']|'')*'/g, "''")
    .split(";")
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");

/** The parts of an ALTER TABLE: commas within parentheses separate nothing. */
function partsOf(statement: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of statement) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

const TAKES_AWAY = [
  /^DROP (TABLE|VIEW|TYPE|FUNCTION|SEQUENCE)\b/i,
  /^TRUNCATE\b/i,
  /\bDROP COLUMN\b/i,
  /\bRENAME\b/i,
  /\bSET NOT NULL\b/i,
  /\bALTER COLUMN \w+ (SET DATA )?TYPE\b/i,
];

/** The parts of a migration that an earlier version may not survive. */
export function contractionsOf(sql: string): string[] {
  const statements = statementsOf(sql);
  const added = [...statements.join(" ").matchAll(/\bADD COLUMN (\w+)/gi)].map(([, name = ""]) => name);
  const functions = new Set(statements.flatMap((one) => /^CREATE FUNCTION (\w+)/i.exec(one)?.[1] ?? []));
  const made = new Set(statements.flatMap((one) => /^CREATE TABLE (\w+)/i.exec(one)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const altered = /^ALTER TABLE (\w+)/i.exec(statement)?.[1];
    if (altered !== undefined && made.has(altered)) return [];
    // A function of the same name takes its place, and calls it.
    const renamed = /^ALTER FUNCTION (\w+)\(.*\) RENAME TO/i.exec(statement)?.[1];
    if (renamed !== undefined && functions.has(renamed)) return [];
    const dropped = [...statement.matchAll(/DROP CONSTRAINT (?:IF EXISTS )?(\w+)/gi)].map(([, name]) => name);
    return partsOf(statement).filter((part) => {
      if (TAKES_AWAY.some((pattern) => pattern.test(part))) return true;
      if (/\bADD COLUMN\b/i.test(part))
        return /\bNOT NULL\b/i.test(part) && !/\b(DEFAULT|GENERATED)\b/i.test(part);
      // A constraint that takes the place of one is a wider one. A new one refuses what earlier versions write, unless it is of a column
      // that they leave out.
      const constraint = /\bADD CONSTRAINT (\w+) CHECK\b/i.exec(part)?.[1];
      return (
        constraint !== undefined &&
        !dropped.includes(constraint) &&
        !added.some((column) => new RegExp(`\\b${column}\\b`).test(part))
      );
    });
  });
}

describe("a migration", () => {
  test.each(NAMES)("only expands, or says what it contracts: %s", (name) => {
    const text = readFileSync(join(FOLDER, name), "utf8");
    const marks = [...text.matchAll(MARK)];
    if (marks.length === 0) expect(contractionsOf(text)).toEqual([]);
    for (const [, , since = ""] of marks) {
      expect(NAMES).toContain(since);
      expect(since < name).toBe(true);
    }
  });

  test.each([
    "DROP TABLE things",
    "ALTER TABLE things DROP COLUMN colour",
    "ALTER TABLE things ADD COLUMN size int, RENAME TO objects",
    "ALTER TABLE things RENAME COLUMN colour TO color",
    "ALTER TABLE things ADD COLUMN colour text NOT NULL",
    "ALTER TABLE things ADD COLUMN size int DEFAULT 1,\n  ADD COLUMN colour text NOT NULL CHECK (colour <> '')",
    "ALTER TABLE things ALTER COLUMN colour SET NOT NULL",
    "ALTER TABLE things ALTER COLUMN size TYPE smallint",
    "ALTER TABLE things ADD CONSTRAINT small CHECK (size < 3)",
    "ALTER FUNCTION f(int) RENAME TO g",
  ])("takes away by: %s", (statement) => {
    expect(contractionsOf(`CREATE TABLE others (id text); ${statement};`)).toHaveLength(1);
  });

  test.each([
    "ALTER TABLE things ADD COLUMN colour text NOT NULL DEFAULT 'red; NOT NULL'",
    "ALTER TABLE things ADD COLUMN colour text",
    "ALTER TABLE things ALTER COLUMN colour DROP NOT NULL",
    "ALTER TABLE things DROP CONSTRAINT small, ADD CONSTRAINT small CHECK (size < 9)",
    "CREATE TABLE things (colour text NOT NULL); ALTER TABLE things ADD CONSTRAINT red CHECK (colour = '')",
    "ALTER TABLE things ADD COLUMN size int, ADD CONSTRAINT small CHECK (size < 3)",
    "ALTER FUNCTION f(int) RENAME TO g; CREATE FUNCTION f(n int) RETURNS int LANGUAGE sql AS $$ SELECT g(n) $$",
    "-- DROP TABLE things",
    "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE things; END $$",
  ])("takes nothing away by: %s", (statement) => {
    expect(contractionsOf(`${statement};`)).toEqual([]);
  });
});
