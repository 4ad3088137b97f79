import { readdirSync, readFileSync } from "node:fs";
import { ensureSubreaper } from "../../system/first-process.ts";

/** A program that leaves orphans, says how many zombies there are then, and ends with 7 when it is told to. */

ensureSubreaper({ env: { GIVEN: "yes" } });
process.on("SIGTERM", () => process.exit(7));

/** For one that reaps to come to it; a zombie that nobody waits for is there for good. */
const LOOKS_MAX = 200;

const orphans = Number(process.argv[2]);
for (let i = 0; i < orphans; i++) {
  // The shell ends at once, and what it started a little later.
  await Bun.spawn(["sh", "-c", "sleep 0.1 & exit 0"]).exited;
}
let left = processes("sleep");
for (let look = 0; look < LOOKS_MAX && left.length > 0; look++) {
  await Bun.sleep(20);
  left = processes("sleep");
}
console.log(JSON.stringify({ orphans, given: process.env.GIVEN, zombies: left.length }));
setInterval(() => undefined, 60_000);

function processes(name: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").includes(`(${name})`);
    } catch {
      return false;
    }
  });
}
