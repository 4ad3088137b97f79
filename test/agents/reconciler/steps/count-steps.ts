import { join } from "node:path";
import { plugin } from "bun";
import { step } from "./step.ts";

/** Loaded before the agent: each program that it starts and each file that it changes is a step, at which it may be killed. */

const FILES = join(import.meta.dir, "counted-files.ts");

plugin({
  name: "counted files",
  setup(build) {
    build.onLoad({ filter: /^(?!.*\/test\/).*\/(agents|system)\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replaceAll(
        'from "node:fs/promises"',
        `from ${JSON.stringify(FILES)}`,
      ),
      loader: "ts",
    }));
  },
});

const spawn = Bun.spawn;
Bun.spawn = ((...args: Parameters<typeof spawn>) => {
  const child = spawn(...args);
  // The program is under way: it goes on without the agent.
  step(`start of ${args[0]}`);
  return child;
}) as typeof spawn;
