import { join } from "node:path";
import { makeBundles } from "./bundles.ts";

/** Compiles the programs that `npm start` starts, for the next start (`bundles.ts`). */

await makeBundles(join(import.meta.dir, ".."));
