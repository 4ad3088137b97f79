import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { commitOf } from "./commit.ts";
import { Gauge, type Registry } from "./prometheus.ts";

const COMMIT_LENGTH = 12;
const commit = commitOf(join(import.meta.dir, ".."))?.slice(0, COMMIT_LENGTH);

/** The version of this program: that of the package, with the commit where it is known. */
export const VERSION: string =
  commit === undefined ? packageJson.version : `${packageJson.version}+${commit}`;

/** Adds the version to a process's metrics. */
export function measureVersion(registry: Registry): void {
  new Gauge({
    name: "berth_build_info",
    help: "Always 1; the label is the version of the process",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version: VERSION }, 1);
}
