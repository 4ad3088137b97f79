import type { FieldMap } from "../../http1/head.ts";
import type { Fields } from "../../http1/response.ts";
import { CUSTOM_HEADER_BYTES_MAX } from "../limits.ts";
import { safeContentType } from "./content-type.ts";
import { type Download, dispositionFor } from "./disposition.ts";

const CUSTOM = { "X-Piping": "x-piping", "X-Service-Pipe": "x-service-pipe" } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
export const CONTROLS: RegExp = /[\x00-\x1f\x7f]/g;

/** A sender's description of its bytes, from its request's header or that of its file part. */
export interface Announcement {
  readonly contentType: string | undefined;
  readonly disposition: string | undefined;
  /** The sender's digits; undefined if the length is unknown. */
  readonly length: string | undefined;
  readonly custom: Fields;
}

/** The custom headers of a sender, capped, without control characters. */
export function customHeaders(headers: FieldMap): Fields {
  const custom: Record<string, string> = {};
  for (const [name, key] of Object.entries(CUSTOM)) {
    const value = headers.get(key);
    if (value === undefined) continue;
    custom[name] = value.replace(CONTROLS, "").slice(0, CUSTOM_HEADER_BYTES_MAX);
  }
  return custom;
}

/** A receiver's header fields, besides CORS and those of every response. */
export function receiverFields(announced: Announcement, download: Download): Record<string, string> {
  const fields: Record<string, string> = {};
  const contentType = safeContentType(announced.contentType);
  if (contentType !== undefined) fields["Content-Type"] = contentType;
  const disposition = dispositionFor(announced.disposition, contentType, download);
  if (disposition !== undefined) fields["Content-Disposition"] = disposition;
  Object.assign(fields, announced.custom);
  if (Object.keys(announced.custom).length > 0) {
    fields["Access-Control-Expose-Headers"] = "X-Piping, X-Service-Pipe";
  }
  return fields;
}
