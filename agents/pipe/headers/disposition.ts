import { attachment } from "../../web/attachment.ts";
import { isInlineSafe } from "./content-type.ts";
import { CONTROLS } from "./forwarded.ts";

/** The download mode that a receiver requested (spec §4.2): `pass` by default. */
export type Download =
  | { readonly kind: "pass" }
  | { readonly kind: "omit" }
  | { readonly kind: "attachment"; readonly filename: string | undefined };

/**
 * The Content-Disposition of a receiver.
 *
 * @param given the sender's, if any
 * @param contentType the receiver's
 */
export function dispositionFor(
  given: string | undefined,
  contentType: string | undefined,
  download: Download,
): string | undefined {
  if (download.kind === "omit") return undefined;
  if (download.kind === "attachment" && download.filename !== undefined) return attachment(download.filename);
  const clean = (given ?? "").replace(CONTROLS, "").trim();
  if (clean === "" && download.kind === "pass") return undefined;
  const type = /^[^;]*/.exec(clean)?.[0].trim().toLowerCase();
  const isInline = download.kind === "pass" && type === "inline" && isInlineSafe(contentType);
  return isInline ? clean : asAttachment(clean);
}

/**
 * Converts a disposition to `attachment` with the same names. Browsers handle unknown disposition types in different
 * ways.
 */
function asAttachment(given: string): string {
  const mark = given.indexOf(";");
  return mark === -1 ? "attachment" : `attachment${given.slice(mark)}`;
}
