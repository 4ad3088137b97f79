import { type Static, Type } from "@sinclair/typebox";
import { isDeclarable, PROGRAMS_MAX } from "../../../schemas/hosting/program.ts";
import { Nullable } from "../../../schemas/primitives.ts";
import type { ImageConfig } from "./manifest.ts";

/** A program that an image declares by labels: `berth.program.<name>=<port>[/path]`, and `berth.program.<name>.command` to start it. */
export const DeclaredProgram = Type.Object({
  name: Type.String(),
  /** Where it listens, on the container's own loopback interface or on all. */
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  /** Where its address begins, with `/` in front; null: at `/`. */
  path: Nullable(Type.String()),
  /** Starts it; null: the image's own program has it running. */
  command: Nullable(Type.Array(Type.String())),
});
export type DeclaredProgram = Static<typeof DeclaredProgram>;

/** The programs of an image, and how they are run: as the image's own program is. */
export const ImagePrograms = Type.Object({
  declared: Type.Array(DeclaredProgram),
  /** Null: root. */
  user: Nullable(Type.String()),
  env: Type.Record(Type.String(), Type.String()),
});
export type ImagePrograms = Static<typeof ImagePrograms>;

const LABEL = /^berth\.program\.([a-z0-9-]+)$/;
const TARGET = /^([1-9]\d{0,4})(\/[\x21-\x7e]{0,255})?$/;
const PORT_MAX = 65_535;
/** They are kept with each container, and written again with each change of it. */
const COMMAND_CHARS_MAX = 4_096;
const ENV_CHARS_MAX = 32 * 1024;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A declaration that cannot be read declares nothing. */
export function programsOf({ config }: ImageConfig): ImagePrograms {
  const labels = config?.Labels ?? {};
  const declared = Object.entries(labels).flatMap(([label, target]) => {
    const name = LABEL.exec(label)?.[1] ?? "";
    const [, port, path = ""] = TARGET.exec(target) ?? [];
    const command = commandOf(labels[`${label}.command`]);
    if (!isDeclarable(name) || !(Number(port) <= PORT_MAX) || command === undefined) return [];
    return [{ name, port: Number(port), path: path.length > 1 ? path : null, command }];
  });
  const user = (config?.User ?? "").split(":")[0] || null;
  if (declared.length === 0) return { declared: [], user, env: {} };
  return { declared: declared.slice(0, PROGRAMS_MAX), user, env: environmentOf(config?.Env ?? []) };
}

/** With Docker's two forms: a JSON list is an argv, other text is for a shell. Undefined where it is neither. */
function commandOf(text: string | undefined): string[] | null | undefined {
  if (text === undefined) return null;
  if (text.trim() === "" || text.length > COMMAND_CHARS_MAX) return undefined;
  if (!text.trimStart().startsWith("[")) return ["/bin/sh", "-c", text];
  try {
    const words: unknown = JSON.parse(text);
    const isArgv =
      Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === "string");
    return isArgv && words[0] !== "" ? words : undefined;
  } catch {
    return undefined;
  }
}

function environmentOf(entries: readonly string[]): Record<string, string> {
  let chars = 0;
  const env: Record<string, string> = {};
  for (const entry of entries) {
    const equals = entry.indexOf("=");
    const name = entry.slice(0, Math.max(0, equals));
    chars += entry.length;
    if (VARIABLE.test(name) && chars <= ENV_CHARS_MAX) env[name] = entry.slice(equals + 1);
  }
  return env;
}
