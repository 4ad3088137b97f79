import { attachment } from "../../web/attachment.ts";
import { isInlineSafe } from "./content-type.ts";
import { CONTROLS } from "./forwarded.ts";

/** How a receiver asked for its file (spec §4.2): `pass` when it did not say. */
export type Download =
  | { readonly kind: "pass" }
  | { readonly kind: "omit" }
  | { readonly kind: "attachment"; readonly filename: string | undefined };

/**
 * The Content-Disposition of a receiver.
 *
 * @param given the sender's, if any
 * @param contentType the one that the receiver is given
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

/** Whatever the sender called it, with the names that it gave. What is not one of the two types is a download for browsers only if they know it. */
function asAttachment(given: string): string {
  const mark = given.indexOf(";");
  return mark === -1 ? "attachment" : `attachment${given.slice(mark)}`;
}
