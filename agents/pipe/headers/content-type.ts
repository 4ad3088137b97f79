import { parse } from "content-type";

/** Spec §4.2, rules 1 and 3: what a receiver's browser is told about bytes that anybody may have sent. */

/** The parser accepts any text as a type. */
const TYPE = /^[!#$&^_.+\-0-9a-z]{1,127}\/[!#$&^_.+\-0-9a-z]{1,127}$/;

/** A browser that follows one of these could be made to run a script in the origin of the pipe. */
const DANGEROUS = [
  /^text\/(html|xml|xsl|javascript[\d.]*|ecmascript|jscript|livescript|x-javascript|x-ecmascript|vbscript|x-component|cache-manifest)$/,
  /^application\/(xhtml|xml|x?-?javascript|ecmascript|x-ecmascript|xslt|mathml|wasm|x-shockwave-flash)\b/,
  /^image\/svg\b/,
  /[/+.-]xml\b/,
  // They carry other types inside.
  /^(multipart|message)\//,
];

/** Not those in which ASCII bytes can mean something else (UTF-7, ISO-2022): they hide a script from whoever looks. */
const SAFE_CHARSET =
  /^(utf-?8|us-ascii|utf-16(le|be)?|iso-8859-\d{1,2}|windows-(125\d|874)|koi8-[ru]|shift_jis|euc-(jp|kr)|gbk|gb2312|gb18030|big5)$/i;

const INLINE_SAFE = [
  /^text\/(plain|csv)$/,
  /^application\/(json|pdf|ogg)$/,
  /^image\/(png|jpeg|gif|webp|avif|bmp|apng)$/,
  /^audio\/(mpeg|ogg|wav|x-wav|webm|mp4|aac|flac|opus)$/,
  /^video\/(mp4|webm|ogg|mp2t)$/,
];

/**
 * The type that receivers are given for the sender's: script-executing types become text/plain, parameters go, except one
 * charset that is safe. Undefined when the sender gave none; what is no type at all is just bytes.
 */
export function safeContentType(given: string | undefined): string | undefined {
  if (given === undefined || given === "") return undefined;
  const { type, parameters } = parse(given);
  if (!TYPE.test(type)) return "application/octet-stream";
  const effective = DANGEROUS.some((pattern) => pattern.test(type)) ? "text/plain" : type;
  // Of two charsets the parser returns the first, safe or not: readers differ on which of them they take.
  const { charset = "" } = parameters;
  return SAFE_CHARSET.test(charset) ? `${effective}; charset=${charset}` : effective;
}

export function isInlineSafe(contentType: string | undefined): boolean {
  const type = (contentType ?? "").split(";")[0] ?? "";
  return INLINE_SAFE.some((pattern) => pattern.test(type));
}
