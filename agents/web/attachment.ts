import { create } from "content-disposition";

/**
 * The Content-Disposition of a download under a file name (RFC 6266): the whole name, and an ASCII form of it for old readers.
 * Control characters become underscores. An empty name gives a download without a name.
 */
export function attachment(filename: string): string {
  const name = filename.replace(/\p{Cc}/gu, "_");
  if (name === "") return "attachment";
  const ascii = name.replace(/[^\x20-\x7e]/gu, "_");
  return create(name, ascii === name ? {} : { fallback: ascii });
}
