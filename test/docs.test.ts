import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The documents against the tree: what they name must be there. */

const ROOT = join(import.meta.dir, "..");
const CODE_FOLDERS = [
  "schemas",
  "system",
  "actors",
  "gateway",
  "agents",
  "client",
  "scripts",
  "test",
  "bench",
  "deploy",
];
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const filesIn = (folder: string): string[] =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => !file.includes("node_modules"))
        .map((file) => join(folder, file))
    : [];

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...[...filesIn("docs"), ...CODE_FOLDERS.flatMap(filesIn)].filter(
    (file) => file.endsWith(".md") && !file.startsWith("bench/results/"),
  ),
];

/** The anchor that a Markdown heading gets. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsIn = (document: string) =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

test("every link of a document leads to a file, and to a heading where it names one", () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = "", anchor]) => {
        const target = path === "" ? document : join(dirname(document), path);
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsIn(target).includes(anchor);
      })
      .map(([link]) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("every document that the code names exists", () => {
  const sources = CODE_FOLDERS.flatMap(filesIn).filter((file) => /\.(ts|mjs|sql|sh)$/.test(file));
  const missing = sources.flatMap((source) =>
    [...read(source).matchAll(/\bdocs\/[\w./-]+\.md/g)]
      .filter(([path]) => !existsSync(join(ROOT, path)))
      .map(([path]) => `${source}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("every command that a document tells a reader to run is a script of package.json", () => {
  const scripts = JSON.parse(read("package.json")).scripts;
  const unknown = documents.flatMap((document) =>
    [...read(document).matchAll(/\b(?:bun|npm) run (?:-s )?([a-z-]+)|\bnpm (start|test)\b/g)]
      .filter(([, run, direct]) => !((run ?? direct ?? "") in scripts))
      .map(([command]) => `${document}: ${command}`),
  );
  expect(unknown).toEqual([]);
});

test("a decision is a title, a context, a decision and its consequences, and the index lists it", () => {
  const index = read("docs/decisions/README.md");
  const pages = filesIn("docs/decisions").filter((file) => /\/\d{4}-/.test(file));
  const wrong = pages.filter((page) => {
    const sections = [...read(page).matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    const number = Number(/\/(\d{4})-/.exec(page)?.[1]);
    return (
      sections.join() !== "Context,Decision,Consequences" ||
      !read(page).startsWith(`# ${number}. `) ||
      !index.includes(`](${page.slice("docs/decisions/".length)})`)
    );
  });
  expect(wrong).toEqual([]);
});

test("every source file that a document names in code is in the tree", () => {
  const tree = [...CODE_FOLDERS, "examples"].flatMap(filesIn).map((file) => `/${file}`);
  const missing = documents.flatMap((document) =>
    [...read(document).matchAll(/`([\w./-]+\.(?:ts|mjs|sql|sh))`/g)]
      .filter(([, file = ""]) => !file.includes("NNNN") && !tree.some((one) => one.endsWith(`/${file}`)))
      .map(([, file]) => `${document}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test("every variable that a document names is read by the code", () => {
  const sources = CODE_FOLDERS.flatMap(filesIn)
    .filter((file) => /\.(ts|mjs|sh)$/.test(file) && !file.startsWith("test/docs"))
    .map(read)
    .join("\n");
  // Some are put together, such as `BERTH_QUOTA_${name}`.
  const prefixes = [...sources.matchAll(/\b(BERTH_[A-Z_]+_)\$\{/g)].map(([, prefix = ""]) => prefix);
  const isRead = (name: string) =>
    sources.includes(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const unknown = documents.flatMap((document) =>
    [...read(document).matchAll(/\bBERTH_[A-Z_]*[A-Z]\b/g)]
      .filter(([name]) => !isRead(name))
      .map(([name]) => `${document}: ${name}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});

test("every label that the README and the first steps name stands on a page of the console", () => {
  const pages = [...filesIn("gateway/console/app"), "gateway/payments/sandbox/page.ts"]
    .filter((file) => /\.tsx?$/.test(file))
    .map(read)
    .join("\n");
  const stands = (label: string) => new RegExp(`(>|"|^\\s*)${label}(<|"|\\s*$)`, "m").test(pages);
  const labels = ["README.md", "docs/start.md"].flatMap((document) =>
    [...read(document).matchAll(/(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)/g)].map(([, label = ""]) => label),
  );
  expect(labels).toContain("Sign up");
  expect(labels.filter((label) => !stands(label))).toEqual([]);
});
