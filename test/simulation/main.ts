import { parseArgs } from "node:util";
import type { Mutations } from "./database.ts";
import { play } from "./play.ts";
import { takeOut } from "./take-out.ts";

/** `bun run simulate`: plays clusters in trouble by seeds, or one of them again. */

/** What led to a failure is mostly in these. */
const LAST_LINES = 40;
const FAILURES_SHOWN_MAX = 5;

const MUTATIONS: Readonly<Record<string, Mutations>> = {
  fence: { fence: "off" },
  lock: { fence: "without a lock" },
  receipts: { receipts: "off" },
  gate: { gate: "off" },
  removal: { removal: "later" },
  token: { takenOut: "token" },
  tombstone: { takenOut: "tombstone" },
  takeover: { takenOut: "takeover" },
};

const USAGE = `bun run simulate --seeds N [--from S]      plays N seeds, from 1 or from S
bun run simulate --seed S [--trace]       plays one again; --trace prints all that happened
                 --without PART           with a part taken out (${Object.keys(MUTATIONS).join(", ")}): it must fail`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    trace: { type: "boolean", default: false },
    without: { type: "string" },
  },
});
const mutations = values.without === undefined ? {} : (MUTATIONS[values.without] ?? usage());

if (mutations.takenOut !== undefined) takeOut(mutations.takenOut);
const { simulate } = await import("./simulation.ts");

if (values.seed !== undefined)
  replay(number(values.seed), values.trace ? Number.POSITIVE_INFINITY : LAST_LINES);
else await playMany(number(values.seeds), number(values.from));

async function playMany(seeds: number, from: number): Promise<void> {
  const startedMs = performance.now();
  const { played, failures } = await play({ seeds, from, mutations });
  for (const { seed } of failures.slice(0, FAILURES_SHOWN_MAX)) replay(seed, LAST_LINES);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${played} seeds in ${seconds} s, ${failures.length} failed`);
  if (failures.length > 0) {
    console.log(`failed: ${failures.map(({ seed }) => seed).join(" ")}`);
    process.exitCode = 1;
  }
}

function replay(seed: number, lines: number): void {
  const result = simulate(seed, mutations, true);
  for (const line of lines === Number.POSITIVE_INFINITY ? result.lines : result.lines.slice(-lines)) {
    console.log(line);
  }
  for (const violation of result.violations) console.log(`broken: ${violation}`);
  const part = values.without === undefined ? "" : ` --without ${values.without}`;
  console.log(
    `seed ${seed}: ${result.events} events, trace ${result.hash}; again: bun run simulate --seed ${seed}${part}`,
  );
  if (result.violations.length > 0) process.exitCode = 1;
}

function number(text: string | undefined): number {
  const parsed = Number(text);
  return Number.isSafeInteger(parsed) && parsed > 0 ? parsed : usage();
}

function usage(): never {
  console.error(USAGE);
  process.exit(2);
}
