import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GROUPS } from "../../../client/cli/commands/index.ts";
import { readProject } from "../../../client/compose/project.ts";
import { OPERATOR_COMMANDS } from "../../../scripts/operator-commands.ts";
import { makeReference, programOfReference, REFERENCE_FILE } from "./reference.ts";

const GUIDE = readFileSync(join(import.meta.dir, "../../../docs/cli.md"), "utf8");

test("the page of the commands is that of the present ones: `bun run cli-docs` makes it", async () => {
  expect(await Bun.file(REFERENCE_FILE).text()).toBe(makeReference());
});

/** Command lines of the guide: in its indented parts, up to a pipe or the remark at the right. */
const EXAMPLES = GUIDE.split("\n")
  .filter((line) => line.startsWith("    ") && /\bberth [a-z]/.test(line))
  .flatMap((line) =>
    [...line.matchAll(/\bberth ([a-z][^|)>]*?)(?= {3}|[|)>]|$)/g)].map(([, words = ""]) => words.trim()),
  );

test("every command and option that the guide shows is there", () => {
  const program = programOfReference();
  expect(EXAMPLES.length).toBeGreaterThan(25);
  expect(EXAMPLES.map((line) => faultOf(program, line)).filter(Boolean)).toEqual([]);
});

function faultOf(program: ReturnType<typeof programOfReference>, line: string): string | undefined {
  type AnyCommand = (typeof program)["commands"][number];
  let command = program as unknown as AnyCommand;
  for (const word of line.replace(/ -- .*/, "").split(" ")) {
    const next = command.commands.find((one) => one.name() === word);
    if (next !== undefined) command = next as AnyCommand;
    else if (command.commands.length > 0) return `berth ${line}: there is no "${word}"`;
    const isKnown = [...command.options, ...program.options].some(
      ({ long, short }) => word === long || word === short,
    );
    if (/^--?[a-z]/.test(word) && !isKnown) return `berth ${line}: there is no option ${word}`;
  }
  return undefined;
}

test("the guide's file of a project is one", async () => {
  const [, text = ""] = /\n\n((?: {4}.*\n)* {4}services:\n(?: {4}.*\n)*)/.exec(GUIDE) ?? [];
  const env = { POSTGRES_PASSWORD: "secret" };
  const project = await readProject(
    text.replaceAll(/^ {4}/gm, ""),
    { file: "berth.yaml", defaultName: "shop" },
    env,
  );
  expect(project).toMatchObject({ name: "shop", shares: [{ name: "data", server: "small-1" }] });
  expect(project.containers.map(({ name }) => name)).toEqual(["db", "web"]);
});

test("each command is found by its name alone, without the others", () => {
  const operators = new Set(Object.keys(OPERATOR_COMMANDS).map((path) => path.split(" ")[0] ?? path));
  const names = programOfReference()
    .commands.map((command) => command.name())
    .filter((name) => !name.startsWith("_") && (Object.hasOwn(GROUPS, name) || !operators.has(name)));
  expect(names.sort()).toEqual(Object.keys(GROUPS).sort());
});
