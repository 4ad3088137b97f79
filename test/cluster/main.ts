import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { machine } from "../../bench/machine.ts";
import { lacks } from "../agents/requirements.ts";
import { Random } from "../simulation/random.ts";
import { INCIDENTS, TARGETS } from "./chaos.ts";
import { CLUSTER_PROGRAMS } from "./cluster.ts";
import { installedPostgres } from "./postgres.ts";
import { report } from "./report.ts";
import { playChaos } from "./run.ts";

/**
 * Chaos on a whole cluster: `bun run chaos`, with `--minutes 15`, `--seed N` and `--write` for bench/results/chaos.md. Each incident happens to each
 * kind of machine in turn, in an order that the seed decides. It takes root and Debian's patroni, etcd-server, python3-etcd and postgresql.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "15" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    write: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const random = new Random(Number(values.seed));
const pick = <T>(from: readonly T[]): T => from[random.integer(from.length)] as T;

if (lacks("root", ...CLUSTER_PROGRAMS)) process.exit(1);
console.log(`seed ${values.seed}`);

let left: { target: (typeof TARGETS)[number]; incident: (typeof INCIDENTS)[number] }[] = [];
const run = await playChaos(
  (playedMs) => {
    if (playedMs > minutes * 60_000) return undefined;
    if (left.length === 0)
      left = TARGETS.flatMap((target) => INCIDENTS.map((incident) => ({ target, incident })));
    return left.splice(random.integer(left.length), 1)[0];
  },
  { pick, say: (line) => console.log(line) },
);

/** So that a reader can tell what has changed since. */
const commit = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], { cwd: import.meta.dir }).stdout;

const facts = [
  `${new Date().toISOString().slice(0, 10)}, seed ${values.seed}, commit ${commit.toString().trim() || "unknown"}`,
  `Bun ${Bun.version}, PostgreSQL ${installedPostgres()}, Patroni and etcd of Debian`,
  machine(),
];
const page = report(run, facts);
if (values.write) writeFileSync(join(import.meta.dir, "../../bench/results/chaos.md"), page);
console.log(page);
process.exit(run.faults.length === 0 ? 0 : 1);
