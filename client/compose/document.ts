import type { Document } from "yaml";
import { FileError, type Place } from "./file-error.ts";

/** Variables that the file may use. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Path = readonly (string | number)[];
export type Fields = Readonly<Record<string, unknown>>;

/** A compose file: its content, and where in it each part stands. */
export interface ComposeDocument {
  readonly content: Fields;
  readonly file: string;
  placeOf(path: Path): Place;
  /** An error that names the line and the field. */
  fault(path: Path, message: string): FileError;
}

/** Reads a file, with variables of the environment put in. @throws FileError */
export async function readDocument(text: string, file: string, env: Environment): Promise<ComposeDocument> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const [broken] = document.errors;
  if (broken !== undefined)
    throw new FileError(
      file,
      { path: "", line: lines.linePos(broken.pos[0]).line },
      // The rest shows the line, as a terminal of fixed width would.
      broken.message.split(/ at line \d/)[0] ?? broken.message,
    );
  const placeOf = (path: Path): Place => {
    const at = offsetOf(document, path);
    return { path: path.join("."), line: at === undefined ? null : lines.linePos(at).line };
  };
  const fault = (path: Path, message: string) => new FileError(file, placeOf(path), message);
  const plain = plainOf(document, file);
  if (!isFields(plain)) throw fault([], "services are expected, as in a compose file");
  return { content: substituted(plain, env, [], fault) as Fields, file, placeOf, fault };
}

/** A file that refers to itself too often is refused: it would be far larger than it looks. */
function plainOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    throw new FileError(file, { path: "", line: null }, (error as Error).message);
  }
}
const ALIASES_MAX = 100;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where a part begins: its key's place, which is the line that a person looks for. */
function offsetOf(document: Document, path: Path): number | undefined {
  type Positioned = { readonly range?: readonly number[] | null };
  const last = path.at(-1);
  const parent = document.getIn(path.slice(0, -1), true) as { items?: readonly unknown[] } | undefined;
  const pairs = (parent?.items ?? []) as readonly { key?: { value?: unknown } & Positioned }[];
  const key = pairs.find((pair) => pair?.key?.value === last)?.key;
  const node = key ?? (document.getIn(path, true) as Positioned | undefined);
  if (node?.range) return node.range[0];
  return path.length === 0 ? undefined : offsetOf(document, path.slice(0, -1));
}

/** `$NAME`, `${NAME}`, `${NAME:-standard}` and `${NAME:?message}`; `$$` is a `$`. */
const VARIABLE = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?])([^}]*))?\})/g;

function substituted(value: unknown, env: Environment, path: Path, fault: ComposeDocument["fault"]): unknown {
  if (Array.isArray(value)) return value.map((one, at) => substituted(one, env, [...path, at], fault));
  if (isFields(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, substituted(one, env, [...path, key], fault)]),
    );
  if (typeof value !== "string") return value;
  return value.replace(VARIABLE, (_all, dollar, bare, braced, operator = "", given = "") => {
    if (dollar !== undefined) return "$";
    const name: string = bare ?? braced;
    const known = env[name];
    const isMissing = known === undefined || (operator.startsWith(":") && known === "");
    if (!isMissing) return known ?? "";
    if (operator.endsWith("-")) return given;
    throw fault(path, given === "" ? `set the variable ${name}` : `${name}: ${given}`);
  });
}
