import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob, pathToFileURL } from "bun";

/**
 * Programs that `npm start` and tests start, each as one file that is compiled already. Such a program loads hundreds of modules, which takes
 * longer than what most starts then wait for.
 */
export const PROGRAMS = [
  "actors/main.ts",
  "agents/main.ts",
  "agents/pipe/main.ts",
  "agents/terminal/main.ts",
  "gateway/main.ts",
] as const;

export type Program = (typeof PROGRAMS)[number];

/** Where a checkout keeps the bundles of its sources: one folder for each state of them. */
const KEPT = "node_modules/.cache/berth-programs";
/** What a bundle is made of, besides packages. */
const SOURCES = new Glob("{actors,agents,gateway,schemas,scripts,system}/**/*.{ts,json,sh}");
const PACKAGES = "package-lock.json";
/** An addon that is built where it can be, and that its package does without. */
const OPTIONAL_ADDONS = ["cpu-features"];
/** Packages that decorate look for it when they are loaded. Bun puts it behind them where a program loads both when they are needed. */
const LOADED_FIRST = `import "reflect-metadata";\n`;
const OURS = /^(?!.*\/node_modules\/).*\.ts$/;
const OWN_PLACE = /\bimport\.meta\.(dir|dirname|path|filename|url|main)\b/g;

/** Where the bundle of a program is, below the folder of all. */
export const bundleOf = (folder: string, program: Program): string =>
  join(folder, program.replace(/\.ts$/, ".js"));

/** The folder for the bundles of the sources as they are now: another one after each change of a source, of a package or of Bun. */
export function bundlesFolder(root: string): string {
  const state = new Bun.CryptoHasher("sha256").update(`${root}\n${Bun.revision}\n`);
  for (const path of [...SOURCES.scanSync(root), PACKAGES].sort()) {
    const { mtimeMs, size } = statSync(join(root, path));
    state.update(`${path}\n${mtimeMs}\n${size}\n`);
  }
  return join(root, KEPT, state.digest("hex").slice(0, 16));
}

/** Makes the bundles of the sources as they are now, unless they are there. Those of former sources are removed. Returns their folder. */
export async function makeBundles(root: string): Promise<string> {
  const folder = bundlesFolder(root);
  if (existsSync(folder)) return folder;
  const kept = join(root, KEPT);
  const former = existsSync(kept) ? readdirSync(kept) : [];
  mkdirSync(kept, { recursive: true });
  const unfinished = mkdtempSync(join(kept, "unfinished-"));
  try {
    await bundlePrograms(root, unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run was sooner.
    if (!existsSync(folder)) throw error;
  }
  // A program that runs has all of its bundle in memory.
  for (const name of former) rmSync(join(kept, name), { recursive: true, force: true });
  return folder;
}

/**
 * Makes a bundle of each program, in `folder`. Scripts, pages and migrations that a module finds beside itself are those of the
 * checkout still.
 *
 * @throws AggregateError when a module is missing, is no TypeScript, or awaits outside of a function: Bun compiles no such program
 */
export async function bundlePrograms(root: string, folder: string): Promise<void> {
  const builds = await Promise.allSettled(
    PROGRAMS.map((program) =>
      Bun.build({
        entrypoints: [join(root, program)],
        outdir: dirname(bundleOf(folder, program)),
        target: "bun",
        format: "cjs",
        bytecode: true,
        external: OPTIONAL_ADDONS,
        plugins: [modulesKnowTheirPlace(join(root, program))],
      }),
    ),
  );
  // Only now does none of them write there any more.
  for (const build of builds) if (build.status === "rejected") throw build.reason;
}

const modulesKnowTheirPlace = (main: string): Bun.BunPlugin => ({
  name: "modules know their place",
  setup(build) {
    build.onLoad({ filter: OURS }, async ({ path }) => ({
      contents:
        (path === main ? LOADED_FIRST : "") + withOwnPlace(await Bun.file(path).text(), path, path === main),
      loader: "ts",
    }));
  },
});

/** The text of a module that says where the module is in the checkout, and whether it is the program's first. */
export function withOwnPlace(text: string, path: string, isMain: boolean): string {
  const dir = join(path, "..");
  const place: Record<string, string | boolean> = {
    ...{ dir, dirname: dir, path, filename: path, url: pathToFileURL(path).href, main: isMain },
  };
  return text.replace(OWN_PLACE, (_, name: string) => JSON.stringify(place[name]));
}
