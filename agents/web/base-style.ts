import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Colours, type and cards, the same on the pages of every service; a page puts its own style after it. */
export const BASE_STYLE: string = readFileSync(join(import.meta.dir, "base.css"), "utf8");
