import { join } from "node:path";
import { documentOf } from "../../gateway/openapi/document.ts";
import { appRoutes } from "../gateway/auth/app-routes.ts";

/** `bun run client-types`: makes the client's types from the description of the API. */

const CLIENT = join(import.meta.dir, "../../client");
export const TYPES_FILE = join(CLIENT, "api.ts");

/** The types as they are to be now. */
export async function makeClientTypes(): Promise<string> {
  // Examples would be comments of many lines each.
  const withoutExamples = (key: string, value: unknown) => (key === "example" ? undefined : value);
  const document = JSON.stringify(documentOf(appRoutes(), "1"), withoutExamples);
  const child = Bun.spawn([process.execPath, join(CLIENT, "generate.ts")], {
    stdin: new Blob([document]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const types = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the types could not be made");
  return types;
}

if (import.meta.main) await Bun.write(TYPES_FILE, await makeClientTypes());
