import { fileURLToPath } from "node:url";
import type { LoadPlan, LoadResult } from "./plan.ts";

const GENERATOR = fileURLToPath(new URL("./generator.ts", import.meta.url));

/**
 * Runs a load in a process of its own.
 * @throws Error when any answer was not 200: such a run says nothing.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, GENERATOR], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the load generator failed");
  const result: LoadResult = JSON.parse(text);
  if (result.failure !== null) throw new Error(`the load met a failure: ${result.failure}`);
  return result;
}
