import { join } from "node:path";
import type { ApiDocument } from "../../../gateway/openapi/document.ts";

/**
 * The description of the whole API, made in a process of its own: a gateway that another test file runs in this one changes the schemas
 * that it compiles.
 */
export function describedApart(): ApiDocument {
  const { stdout } = Bun.spawnSync([process.execPath, join(import.meta.dir, "print-document.ts")], {
    stderr: "inherit",
  });
  return JSON.parse(stdout.toString());
}
