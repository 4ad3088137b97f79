import { parse } from "content-type";

/** The content type for receivers (spec §4.2, rules 1 and 3): anybody may have sent the bytes. */

/** The parser accepts any text as a type. */
const TYPE = /^[!#$&^_.+\-0-9a-z]{1,127}\/[!#$&^_.+\-0-9a-z]{1,127}$/;

/** Types with which a browser could run a script in the origin of the pipe. */
const DANGEROUS = [
  /^text\/(html|xml|xsl|javascript[\d.]*|ecmascript|jscript|livescript|x-javascript|x-ecmascript|vbscript|x-component|cache-manifest)$/,
  /^application\/(xhtml|xml|x?-?javascript|ecmascript|x-ecmascript|xslt|mathml|wasm|x-shockwave-flash)\b/,
  /^image\/svg\b/,
  /[/+.-]xml\b/,
  // They contain parts of other types.
  /^(multipart|message)\//,
];

/** Charsets in which ASCII bytes always mean ASCII. Others (UTF-7, ISO-2022) can hide a script. */
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
 * The receivers' content type for the sender's: types that can run scripts become text/plain, and parameters are
 * removed, except a safe charset. Undefined without a type of the sender; an invalid type becomes
 * application/octet-stream.
 */
export function safeContentType(given: string | undefined): string | undefined {
  if (given === undefined || given === "") return undefined;
  const { type, parameters } = parse(given);
  if (!TYPE.test(type)) return "application/octet-stream";
  const effective = DANGEROUS.some((pattern) => pattern.test(type)) ? "text/plain" : type;
  // With two charsets the parser returns the first, but browsers may use the other.
  const { charset = "" } = parameters;
  return SAFE_CHARSET.test(charset) ? `${effective}; charset=${charset}` : effective;
}

export function isInlineSafe(contentType: string | undefined): boolean {
  const type = (contentType ?? "").split(";")[0] ?? "";
  return INLINE_SAFE.some((pattern) => pattern.test(type));
}
