import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `agents/README.md` walks five things through the code: what it names must be there. */

const AGENTS = join(import.meta.dir, "../../agents");
const readme = readFileSync(join(AGENTS, "README.md"), "utf8");
const read = (file: string) =>
  existsSync(join(AGENTS, file)) ? readFileSync(join(AGENTS, file), "utf8") : "";

interface Step {
  readonly file: string;
  /** `function()`, `Class.method()` or `Class.property`, as the page writes it. */
  readonly symbol: string;
}

const steps: Step[] = [...readme.matchAll(/^\| `([\w./-]+\.ts)` \| `([^`]+)` \|/gm)].map(
  ([, file = "", symbol = ""]) => ({ file, symbol }),
);

const mentioned: Step[] = [...readme.matchAll(/`([\w.#]+\(\))`,? (?:in |\()`([\w./-]+\.ts)`/g)].map(
  ([, symbol = "", file = ""]) => ({ file, symbol }),
);

const escaped = (text: string) => text.replaceAll(/[$#.]/g, "\\$&");

/** Whether a file has a symbol: exported, or a member of a class that is exported. */
function has({ file, symbol }: Step): boolean {
  const source = read(file);
  const [owner = "", member] = symbol.replace("()", "").split(".");
  const isExported = new RegExp(
    `^export (?:async )?(?:function\\*?|const|(?:abstract )?class) ${escaped(owner)}\\b`,
    "m",
  ).test(source);
  if (member === undefined || !isExported) return isExported;
  const declared = symbol.endsWith("()")
    ? `(?:async )?${escaped(member)}(?:<[^>]*>)?\\(`
    : `readonly ${escaped(member)}\\b`;
  return new RegExp(`^  ${declared}`, "m").test(source);
}

test("the page has a walk for a firewall rule, an image, an edge request, terminal output and a pipe's chunk", () => {
  const walks = readme.split(/^## /m).filter((section) => section.includes("| file | function |"));
  expect(walks.map((walk) => (walk.match(/^\| `/gm) ?? []).length).every((count) => count >= 8)).toBe(true);
  expect(walks).toHaveLength(5);
});

test("every file and every function that the page names exists", () => {
  expect(steps.length).toBeGreaterThan(40);
  expect(mentioned.length).toBeGreaterThan(2);
  expect([...steps, ...mentioned].filter((step) => !has(step))).toEqual([]);
});

test("every file that the text names exists", () => {
  const files = [...readme.matchAll(/`([\w./-]+\.(?:ts|sh))`/g)].map(([, file = ""]) => file);
  const missing = files.filter(
    (file) => !existsSync(join(AGENTS, file)) && !existsSync(join(AGENTS, "..", file)),
  );
  expect(missing).toEqual([]);
});
