import { join } from "node:path";
import { HEAD_BYTES, targetOf } from "./executable.ts";

/** `bun run build-cli [target…]`: makes `berth` one file for each system, in dist/. */

const ROOT = join(import.meta.dir, "..");
export const TARGETS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;

/** Bytecode, because a command line is started often: nothing is parsed at the start. */
export async function buildCli(
  target: string,
  outfile = join(ROOT, "dist", `berth-${target}`),
): Promise<string> {
  const { success, logs } = await Bun.build({
    entrypoints: [join(ROOT, "client/cli/main.ts")],
    compile: { target: `bun-${target}` as Bun.Build.CompileTarget, outfile },
    minify: true,
    bytecode: true,
  });
  if (!success) throw new Error(`${target}: ${logs.join("\n")}`);
  const made = targetOf(await Bun.file(outfile).slice(0, HEAD_BYTES).bytes());
  if (made !== target) throw new Error(`${outfile} is for ${made ?? "no known system"}, not for ${target}`);
  return outfile;
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  const unknown = given.find((one) => !TARGETS.some((target) => target === one));
  if (unknown !== undefined) {
    console.error(`berth: "${unknown}" is none of ${TARGETS.join(", ")}`);
    process.exit(1);
  }
  for (const target of given.length > 0 ? given : TARGETS) console.log(await buildCli(target));
}
