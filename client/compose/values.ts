import { type ComposeDocument, type Fields, isFields, type Path } from "./document.ts";
import { bytesIn, secondsIn } from "./units.ts";

/** The forms in which compose files give values. Each throws an error that names the line. */

/** Fields that a part may have. Others are refused, because what cannot be done must not look as if it were. */
export function assertKeys(
  file: ComposeDocument,
  value: unknown,
  path: Path,
  known: readonly string[],
  reasons: Readonly<Record<string, string>> = {},
): Fields {
  if (value === null || value === undefined) return {};
  if (!isFields(value)) throw file.fault(path, "fields with values are expected");
  for (const key of Object.keys(value))
    if (!known.includes(key))
      throw file.fault([...path, key], reasons[key] ?? `is not supported: ${known.join(", ")} are`);
  return value;
}

export function textOf(file: ComposeDocument, value: unknown, path: Path): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw file.fault(path, "a text is expected");
}

export function listOf(file: ComposeDocument, value: unknown, path: Path): readonly unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw file.fault(path, "a list is expected");
  return value;
}

/** `{NAME: value}`, or a list of `NAME=value`; a name alone has null. */
export function pairsOf(
  file: ComposeDocument,
  value: unknown,
  path: Path,
): [name: string, value: string | null][] {
  if (isFields(value))
    return Object.entries(value).map(([name, one]) => [
      name,
      one === null ? null : textOf(file, one, [...path, name]),
    ]);
  return listOf(file, value, path).map((one, at) => {
    const text = textOf(file, one, [...path, at]);
    const split = text.indexOf("=");
    return split === -1 ? [text, null] : [text.slice(0, split), text.slice(split + 1)];
  });
}

const WORD = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs;

/** A list of words, or a line that is split as a shell splits it; no shell reads it. */
export function wordsOf(file: ComposeDocument, value: unknown, path: Path): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map((one, at) => textOf(file, one, [...path, at]));
  const text = textOf(file, value, path);
  if (text.replace(WORD, "").trim() !== "") throw file.fault(path, "a quotation mark is missing");
  return [...text.matchAll(WORD)].map(([word]) => unquoted(word));
}

const unquoted = (word: string): string =>
  word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_all, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped,
  );

/** `1m30s` in whole seconds. */
export function secondsOf(file: ComposeDocument, value: unknown, path: Path): number {
  const text = textOf(file, value, path);
  const seconds = secondsIn(text);
  if (seconds === undefined) throw file.fault(path, `"${text}" is not a time such as 10s or 1m30s`);
  return seconds;
}

export function sizeOf(file: ComposeDocument, value: unknown, path: Path): number {
  const bytes = bytesIn(textOf(file, value, path));
  if (bytes === undefined) throw file.fault(path, `"${String(value)}" is not a size such as 256M or 2G`);
  return bytes;
}

export function numberOf(file: ComposeDocument, value: unknown, path: Path): number {
  const text = textOf(file, value, path);
  if (!/^\d+(\.\d+)?$/.test(text)) throw file.fault(path, `"${text}" is not a number`);
  return Number(text);
}

export function truthOf(file: ComposeDocument, value: unknown, path: Path): boolean {
  if (typeof value !== "boolean") throw file.fault(path, "true or false is expected");
  return value;
}
