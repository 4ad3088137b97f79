import { parseArgs } from "node:util";
import { SetupError } from "../scripts/setup-error.ts";

export interface Arguments {
  readonly name: string;
  readonly rounds: number;
  readonly seconds: number;
  /** A look, not a claim: any number of rounds, and nothing is written. */
  readonly quick: boolean;
}

/** Fewer say nothing on a machine that others share. */
export const ROUNDS_MIN = 5;
const ROUNDS_MAX = 100;
const SECONDS = { standard: 4, max: 60 };

/** @throws SetupError one line that says what may be given. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  const [name = ""] = positionals;
  const quick = values.quick === true;
  const rounds = whole("--rounds", values.rounds, ROUNDS_MAX) ?? (quick ? 1 : ROUNDS_MIN);
  if (rounds < ROUNDS_MIN && !quick) {
    throw new SetupError(`fewer than ${ROUNDS_MIN} rounds are no claim: add --quick for a look`);
  }
  return {
    name,
    rounds,
    seconds: whole("--seconds", values.seconds, SECONDS.max) ?? SECONDS.standard,
    quick,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { rounds: { type: "string" }, seconds: { type: "string" }, quick: { type: "boolean" } },
    });
  } catch (cause) {
    throw new SetupError(`${(cause as Error).message}: give --rounds N, --seconds S or --quick`, { cause });
  }
}

function whole(option: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= max)) throw new SetupError(`${option} takes a whole number from 1 to ${max}`);
  return value;
}
