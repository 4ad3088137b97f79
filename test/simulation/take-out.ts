import { join } from "node:path";

/** Parts of the runtime that a test may take out, to see that the simulation notices: the file, and what stands for what. */
const PARTS = {
  token: {
    file: "host/execute.ts",
    part: "if (task === undefined || activation.tasks.get(task.name)?.token !== task.token) return done();",
    without: "if (task === undefined) return done();",
  },
  tombstone: {
    file: "host/execute.ts",
    part: `    recordResult(activation, request, new Recorder(activation, request, options), {
      key,
      fingerprint: TOMBSTONE,
      reply,
    });`,
    without: "",
  },
  takeover: { file: "host/host.ts", part: "opened: () => tasks.open(),", without: "opened: () => {}," },
} as const;

export type Part = keyof typeof PARTS;

/** Takes a part out of the runtime as this process loads it. To be called before anything imports it. */
export function takeOut(name: Part): void {
  const { file, part, without } = PARTS[name];
  const path = join(import.meta.dir, "../../actors/runtime", file);
  Bun.plugin({
    name: "take out",
    setup(build) {
      build.onLoad({ filter: new RegExp(`${RegExp.escape(path)}$`) }, async () => {
        const source = await Bun.file(path).text();
        if (!source.includes(part)) throw new Error(`${file} has no such part any more: ${part}`);
        return { contents: source.replace(part, without), loader: "ts" };
      });
    },
  });
}
