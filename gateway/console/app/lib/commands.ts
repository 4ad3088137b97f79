/** A request of the API as a form sends it, and the command that does the same. */
export interface Command {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The file that is sent instead of a JSON body. */
  readonly file?: string;
  /** The words of the `berth` command of its own for it (docs/cli-reference.md); null: there is none, and `berth api` is shown. */
  readonly berth: readonly string[] | null;
  /** What that command reads from its input (`--file -`). */
  readonly input?: unknown;
}

/** `--name value`, or nothing where there is no value. */
export const option = (name: string, value: string | number | null | undefined): string[] =>
  value === undefined || value === null || value === "" ? [] : [`--${name}`, String(value)];

/** An option that is given once for each value. */
export const options = (name: string, values: readonly string[]): string[] =>
  values.flatMap((value) => option(name, value));

const UNITS = ["", "K", "M", "G", "T"] as const;

/** A size as the command line takes it: `256M`. */
export function sizeWord(bytes: number | null | undefined): string {
  if (!bytes) return "";
  let [size, unit] = [bytes, 0];
  while (size % 1024 === 0 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size}${UNITS[unit]}`;
}

/** The body of a request, and the command that reads the same from its input. */
export const byFile = (words: readonly string[], body: unknown) => ({
  body,
  berth: [...words, "--file", "-"],
  input: body,
});

/** Cents as the command line takes them: `7.00`. */
export const dollarsWord = (cents: number): string => (cents / 100).toFixed(2);

/** The command, as a line for a shell; undefined: only `curl` does it. */
export function berthLine(command: Command): string | undefined {
  const words = command.berth ?? anyRequest(command);
  if (words === undefined) return undefined;
  const line = ["berth", ...words].map(quote).join(" ");
  return command.input === undefined ? line : `printf %s ${quote(JSON.stringify(command.input))} | ${line}`;
}

/** The command that sends any request. It sends JSON only, and no file. */
const anyRequest = ({ method, path, body, headers = {}, file }: Command): readonly string[] | undefined =>
  file === undefined
    ? [
        ...["api", method, path],
        ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
        ...(body === undefined ? [] : ["-d", JSON.stringify(body)]),
      ]
    : undefined;

/** As one word of a shell. */
export const quote = (text: string): string =>
  /^[\w./:,=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
