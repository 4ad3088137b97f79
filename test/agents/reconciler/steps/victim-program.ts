import { join } from "node:path";
import { withOwnPlace } from "../../../../scripts/bundles.ts";

const TESTS = join(import.meta.dir, "../../..");
const VICTIM = join(import.meta.dir, "victim.ts");
const FILES = join(import.meta.dir, "counted-files.ts");

/**
 * Makes the agent that is killed, as one file in `folder`: a hundred of them start. Each file that the agent changes is a step, since what it
 * imports as `node:fs/promises` is `counted-files.ts`.
 */
export async function victimProgram(folder: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [VICTIM],
    outdir: folder,
    target: "bun",
    plugins: [
      {
        name: "counted files",
        setup(build) {
          build.onLoad({ filter: /^(?!.*\/node_modules\/).*\.ts$/ }, async ({ path }) => {
            const text = withOwnPlace(await Bun.file(path).text(), path, path === VICTIM);
            return { contents: path.startsWith(TESTS) ? text : withCountedFiles(text), loader: "ts" };
          });
        },
      },
    ],
  });
  return outputs[0]?.path ?? "";
}

const withCountedFiles = (text: string): string =>
  text.replaceAll('from "node:fs/promises"', `from ${JSON.stringify(FILES)}`);
