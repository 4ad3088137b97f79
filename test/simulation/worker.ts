import type { Mutations } from "./database.ts";
import { takeOut } from "./take-out.ts";

/** A process that plays seeds, told which in its argument. It writes each failure, and at the end a summary, as lines of JSON. */

export interface Work {
  readonly from: number;
  readonly count: number;
  /** Each so manieth seed; other workers play those between. */
  readonly step: number;
  readonly mutations: Mutations;
  readonly stopAtFirst: boolean;
}

export interface Failure {
  readonly seed: number;
  readonly violations: readonly string[];
}

/** At the end `traces` has a text for each seed that was played, in their order: another one where anything else happened. */
export type Line =
  | { readonly failure: Failure }
  | { readonly played: number; readonly traces: readonly string[] };

const say = (line: Line) => process.stdout.write(`${JSON.stringify(line)}\n`);

// Refusals are errors, thousands of them, and nobody reads where they were made.
Error.stackTraceLimit = 0;

/** A promise of the runtime that nobody looks after: in production it would end the process. */
const unhandled: string[] = [];
process.on("unhandledRejection", (error) => unhandled.push(`unhandled: ${error}`));

const { from, count, step, mutations, stopAtFirst }: Work = JSON.parse(process.argv[2] ?? "");
if (mutations.takenOut !== undefined) takeOut(mutations.takenOut);
const { simulate } = await import("./simulation.ts");
const traces: string[] = [];
for (let seed = from; seed < from + count * step; seed += step) {
  const result = simulate(seed, mutations);
  // Rejections are told after the turn of the event loop that they came in.
  await new Promise((resolve) => setImmediate(resolve));
  traces.push(`${result.hash}:${result.events}`);
  const violations = [...result.violations, ...unhandled.splice(0)];
  if (violations.length === 0) continue;
  say({ failure: { seed, violations } });
  if (stopAtFirst) break;
}
say({ played: traces.length, traces });
