import { expect, test } from "bun:test";
import { isInlineSafe, safeContentType } from "../../../../agents/pipe/headers/content-type.ts";

test.each([
  "text/html",
  "Text/HTML",
  " text/html ",
  "application/xhtml+xml",
  "image/svg+xml",
  "text/xml",
  "application/xml",
  "application/rss+xml",
  "application/mathml+xml",
  "text/xsl",
  "text/javascript",
  "text/javascript1.5",
  "application/javascript",
  "application/x-javascript",
  "application/ecmascript",
  "text/ecmascript",
  "text/jscript",
  "text/livescript",
  "application/wasm",
  "multipart/x-mixed-replace",
  "message/rfc822",
])("%s can run a script, and becomes plain text", (type) => {
  expect(safeContentType(type)).toBe("text/plain");
});

test.each([
  ["text/html; charset=utf-8", "text/plain; charset=utf-8"],
  ['text/plain; charset="UTF-8"; format=flowed', "text/plain; charset=UTF-8"],
  ["text/plain; x=1; charset=iso-8859-1", "text/plain; charset=iso-8859-1"],
  ["text/plain; charset=utf-7", "text/plain"],
  ["text/plain; charset=utf-7; charset=utf-8", "text/plain"],
  ["text/plain; charset=ISO-2022-JP", "text/plain"],
  ["text/plain; charset=utf-8; charset=utf-7", "text/plain; charset=utf-8"],
  ["text/plain; charset=x<script>", "text/plain"],
  ["image/PNG; name=x", "image/png"],
  ["multipart/form-data; boundary=x", "text/plain"],
  ["application/vnd.api+json", "application/vnd.api+json"],
  ["nonsense", "application/octet-stream"],
  ["text/html/x", "application/octet-stream"],
  ["text/html, text/plain", "application/octet-stream"],
  ["text/ht ml", "application/octet-stream"],
  ["", undefined],
  [undefined, undefined],
] as const)("%j is given as %j", (given, expected) => {
  expect(safeContentType(given)).toBe(expected as string);
});

test.each(["text/plain", "text/plain; charset=utf-8", "image/png", "video/mp4", "application/pdf"])(
  "%s may be shown",
  (type) => expect(isInlineSafe(type)).toBe(true),
);

test.each(["application/octet-stream", "text/html", "image/svg+xml", "application/x-sh", undefined])(
  "%s may not be shown",
  (type) => expect(isInlineSafe(type)).toBe(false),
);
