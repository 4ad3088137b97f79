import { Refusal } from "../http1/refusal.ts";
import type { Download } from "./headers/disposition.ts";
import { safeFilename } from "./headers/filename.ts";
import { RECEIVERS_MAX } from "./limits.ts";

/** The query parameters of a pipe path (spec §4.2). */

const YES = ["true", "yes", "1", ""];
const NO = ["false", "no", "0"];

/** The number of receivers. @throws Refusal 400 */
export function readReceiverCount(query: URLSearchParams): number {
  const given = query.getAll("n");
  if (given.length === 0) return 1;
  const [text = ""] = given;
  const n = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN;
  if (given.length > 1 || !(n <= RECEIVERS_MAX)) {
    throw new Refusal(400, `n is the number of receivers: one whole number from 1 to ${RECEIVERS_MAX}.`);
  }
  return n;
}

/** A parameter without a value means true. Undefined if the parameter is absent. @throws Refusal 400 */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (YES.includes(given)) return true;
  if (NO.includes(given)) return false;
  throw new Refusal(400, `${name} is one of true, false, yes, no, 1, 0.`);
}

/** @throws Refusal 400 */
export function readDownload(query: URLSearchParams): Download {
  const download = readFlag(query, "download");
  // An explicit value takes precedence over what a file name implies.
  if (download === false) return { kind: "omit" };
  const filename = query.get("filename");
  if (filename !== null) return { kind: "attachment", filename: safeFilename(filename) };
  return download === true ? { kind: "attachment", filename: undefined } : { kind: "pass" };
}
