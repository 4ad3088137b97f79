import { join } from "node:path";
import { pathToFileURL } from "bun";

/** Programs that tests start again and again. Each loads hundreds of modules, which takes most of the processor time of a short life. */
export const PROGRAMS = [
  "actors/main.ts",
  "agents/main.ts",
  "agents/pipe/main.ts",
  "agents/terminal/main.ts",
  "gateway/main.ts",
] as const;

export type Program = (typeof PROGRAMS)[number];

/** Where the file of a program is, below the folder of all. */
export const bundleOf = (folder: string, program: Program): string =>
  join(folder, program.replace(/\.ts$/, ""), "main.js");

/** An addon that is built where it can be, and that its package does without. */
const OPTIONAL_ADDONS = ["cpu-features"];
/** Packages that decorate look for it when they are loaded. Bun puts it behind them where a program loads both when they are needed. */
const LOADED_FIRST = `import "reflect-metadata";\n`;
const OURS = /^(?!.*\/node_modules\/).*\.ts$/;
const OWN_PLACE = /\bimport\.meta\.(dir|dirname|path|filename|url|main)\b/g;

/**
 * Makes one file of each program, in `folder`. A start of it takes half the processor time. Scripts, pages and migrations that a module finds beside itself are those of the
 * checkout still.
 *
 * @throws AggregateError when a module is missing or is no TypeScript
 */
export async function bundlePrograms(root: string, folder: string): Promise<void> {
  await Promise.all(
    PROGRAMS.map((program) =>
      Bun.build({
        entrypoints: [join(root, program)],
        outdir: join(bundleOf(folder, program), ".."),
        target: "bun",
        external: OPTIONAL_ADDONS,
        plugins: [modulesKnowTheirPlace(join(root, program))],
      }),
    ),
  );
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
