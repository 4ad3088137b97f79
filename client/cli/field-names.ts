import type { Command } from "./groups.ts";

/** The parts of a command by which its user has said something. */
export type Words = Pick<Command, "options" | "registeredArguments">;

/** Options that have another name than their field of the API. */
const OPTIONS: Readonly<Record<string, string>> = {
  destination_port: "port",
  source: "from",
  destination: "to",
  cpu_cores: "cpu",
  restart_policy: "restart",
  image_id: "image",
  rental_days: "days",
  additional_days: "days",
  expires_at: "expires",
  target_path: "path",
  event_types: "event",
  working_directory: "directory",
  timeout_seconds: "timeout",
  args: "args",
  alias: "name",
  max_charge_cents: "max-charge",
};
const UNITS = /_(id|bytes|cents|at|seconds|hours|mbps)$/;
const PLACE = /^(body|query|params|header)\./;

/** A refusal in the words of the command line: `body.resources.memory_bytes: …` becomes `--memory: …`. */
export function inWordsOf(command: Words | undefined, message: string): string {
  const [whole, path] = /^((?:body|query|params|header)(?:\.\w+)+|[a-z_]+(?:\.\w+)+): /.exec(message) ?? [];
  if (whole === undefined || path === undefined) return message;
  return `${nameOf(command, path.replace(PLACE, ""))}: ${message.slice(whole.length)}`;
}

/** The outermost part of a path that the command has a word for; the path itself where there is none, as in a file. */
function nameOf(command: Words | undefined, path: string): string {
  if (command === undefined) return path;
  const words = new Map([
    ...command.registeredArguments.map((one) => [one.name(), `<${one.name()}>`] as const),
    ...command.options.map(({ long }) => [long?.replace(/^--/, "") ?? "", long ?? ""] as const),
  ]);
  for (const part of path.split(".").filter((one) => !/^\d+$/.test(one))) {
    const plain = part.replace(UNITS, "");
    const known = [OPTIONS[part], part, plain, plain.replace(/s$/, "")].map((one) =>
      words.get(one?.replaceAll("_", "-") ?? ""),
    );
    const found = known.find((one) => one !== undefined);
    if (found !== undefined) return found;
  }
  return path;
}
