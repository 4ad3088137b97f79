import { readFileSync } from "node:fs";
import { parseArgs, parseEnv } from "node:util";
import { Kind, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { SETTING_NAMES, settingsOf } from "../schemas/settings/index.ts";
import type { Role, Setting } from "../schemas/settings/setting.ts";
import { SettingError } from "./setting-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Configuration {
  /** The environment, and what the file adds to it. */
  readonly env: Environment;
  /** Lines for the log: names of the environment that no setting has. */
  readonly warnings: readonly string[];
}

/** Names that processes of Berth pass on to each other, and those of tests. */
const INTERNAL =
  /^BERTH_(BOOTSTRAP_PID|IMAGE_STORE|LAUNCH_.*|TEST_.*|RECORD_EXAMPLES|SCREENSHOTS|ADDRESS|COMMAND|USER)$/;
/** A name is meant by another one that differs in so many letters at most. */
const TYPO_LETTERS_MAX = 3;

/**
 * Reads the settings of a role: the environment, and below it the file of `--config` or BERTH_CONFIG. Everything that can be said of a text
 * alone is checked here, before anything starts.
 *
 * @throws SettingError with one line that names the setting
 */
export function readConfiguration(
  role: Role,
  environment: Environment,
  argv: readonly string[] = [],
): Configuration {
  const env = { ...readSettingsFile(environment, argv), ...withoutEmpty(environment) };
  for (const setting of settingsOf(role)) checkSetting(setting, env[setting.name]);
  const unknown = Object.keys(environment).filter(isUnknown);
  return { env, warnings: unknown.map((name) => `${name} is no setting${nearest(name)}`) };
}

/** What the file of `--config` or BERTH_CONFIG says; nothing without one. @throws SettingError */
export function readSettingsFile(environment: Environment, argv: readonly string[] = []): Environment {
  const file = configOption(argv) ?? environment.BERTH_CONFIG;
  return file ? readFile(file) : {};
}

const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));

const isUnknown = (name: string): boolean =>
  name.startsWith("BERTH_") && !SETTING_NAMES.has(name) && !INTERNAL.test(name);

function configOption(argv: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...argv], options: { config: { type: "string" } } }).values.config;
  } catch (cause) {
    const [first = ""] = (cause as Error).message.split("\n");
    throw new SettingError(
      `${first}: --config FILE is the only option; all settings are in docs/settings.md`,
      {
        cause,
      },
    );
  }
}

/** A file of lines NAME=value, as systemd and Docker read them. Here a wrong name is refused: nobody else reads the file. */
function readFile(path: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new SettingError(`BERTH_CONFIG: ${(cause as Error).message}`, { cause });
  }
  const odd = text.split("\n").findIndex((line) => !/^\s*(#.*|(export\s+)?[A-Za-z_]\w*\s*=.*)?$/.test(line));
  if (odd !== -1) throw new SettingError(`${path}, line ${odd + 1}: give lines such as NAME=value`);
  const values = parseEnv(text) as Record<string, string>;
  const wrong = Object.keys(values).find((name) => !SETTING_NAMES.has(name));
  if (wrong !== undefined) throw new SettingError(`${path}: ${wrong} is no setting${nearest(wrong)}`);
  return values;
}

/** @throws SettingError */
function checkSetting({ name, type, isSecret }: Setting, text: string | undefined): void {
  if (text === undefined || text === "") return;
  // TypeBox takes "1e3" and "0x10" for numbers.
  const isNumber = type[Kind] === "Integer" || type[Kind] === "Number";
  const isPlain = !isNumber || /^\d+(\.\d+)?$/.test(text);
  if (isPlain && Value.Check(type, Value.Convert(type, text))) return;
  const shown = isSecret ? "is wrong" : `is ${JSON.stringify(text)}`;
  throw new SettingError(`${name} ${shown}: it can be ${describeType(type)}`);
}

/** In words: "a whole number from 1 to 16". */
export function describeType(type: TSchema): string {
  const { minimum, maximum, anyOf, description } = type;
  if (type[Kind] === "Integer") return `a whole number from ${minimum} to ${maximum}`;
  if (type[Kind] === "Number") return `a number from ${minimum} to ${maximum}`;
  if (anyOf) return anyOf.map((word: { const: string }) => word.const).join(" or ");
  return type.const ?? description ?? "text";
}

/** What was probably meant: a name with a typo, or one whose beginning was left out. */
function nearest(name: string): string {
  const near = [...SETTING_NAMES]
    .map((known) => ({ known, letters: distance(name, known) }))
    .sort((a, b) => a.letters - b.letters)[0];
  const meant = near !== undefined && near.letters <= TYPO_LETTERS_MAX ? near.known : endingLike(name);
  return meant === undefined ? "" : `: ${meant} is one`;
}

/** The shortest name with this end: `BERTH_PORT` of `PORT`. */
const endingLike = (name: string): string | undefined =>
  [...SETTING_NAMES]
    .filter((known) => known.endsWith(`_${name.replace(/^BERTH_/, "")}`))
    .sort((a, b) => a.length - b.length)[0];

/** Letters to add, remove or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + Number(letter !== other)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
