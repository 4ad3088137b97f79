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
  const [name = "", ...rest] = argv;
  const quick = rest.includes("--quick");
  const options = rest.filter((word) => word !== "--quick");
  const given = new Map<string, number>();
  for (let at = 0; at < options.length; at += 2) {
    const option = options[at] ?? "";
    const max = { "--rounds": ROUNDS_MAX, "--seconds": SECONDS.max }[option];
    if (max === undefined)
      throw new SetupError(`unknown option ${option}: give --rounds N, --seconds S or --quick`);
    const value = Number(options[at + 1] ?? Number.NaN);
    if (!Number.isInteger(value) || value < 1 || value > max) {
      throw new SetupError(`${option} takes a whole number from 1 to ${max}`);
    }
    given.set(option, value);
  }
  const rounds = given.get("--rounds") ?? (quick ? 1 : ROUNDS_MIN);
  if (rounds < ROUNDS_MIN && !quick) {
    throw new SetupError(`fewer than ${ROUNDS_MIN} rounds are no claim: add --quick for a look`);
  }
  return { name, rounds, seconds: given.get("--seconds") ?? SECONDS.standard, quick };
}
