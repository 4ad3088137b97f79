import { describe, expect, test } from "bun:test";
import { dispositionFor } from "../../../../agents/pipe/headers/disposition.ts";
import { safeFilename } from "../../../../agents/pipe/headers/filename.ts";
import { readDownload } from "../../../../agents/pipe/query.ts";

const given = (disposition: string | undefined, type: string | undefined, query: string) =>
  dispositionFor(disposition, type, readDownload(new URLSearchParams(query)));

describe("a receiver that does not say how", () => {
  test.each([
    ['attachment; filename="a"', "text/plain", 'attachment; filename="a"'],
    ["inline", "text/plain", "inline"],
    ['inline; filename="a.png"', "image/png", 'inline; filename="a.png"'],
    ['inline; filename="a.bin"', "application/octet-stream", 'attachment; filename="a.bin"'],
    ["INLINE", undefined, "attachment"],
    ["inline ; x=1", "text/x-unknown", "attachment; x=1"],
    ['form-data; name="f"; filename="a"', "text/plain", 'attachment; name="f"; filename="a"'],
    ["attachment\r\nX-Evil: 1", "text/plain", "attachment"],
    ["ATTACHMENT ; filename=a", "text/plain", "attachment; filename=a"],
    ['inline x; filename="a.png"', "image/png", 'attachment; filename="a.png"'],
    ['"inline"', "image/png", "attachment"],
    ['; filename="a"', "image/png", 'attachment; filename="a"'],
    ['attachment; filename="a\x01\x7fb"', "image/png", 'attachment; filename="ab"'],
    [undefined, "text/plain", undefined],
  ])("gets %j of %s as %j", (disposition, type, expected) => {
    expect(given(disposition, type, "")).toBe(expected as string);
  });
});

test.each(["download", "download=true", "download=yes", "download=1"])(
  "?%s is an attachment, with the sender's name",
  (query) => {
    expect(given('inline; filename="a"', "text/plain", query)).toBe('attachment; filename="a"');
    expect(given(undefined, "text/plain", query)).toBe("attachment");
  },
);

test.each(["download=false", "download=no", "download=0", "download=no&filename=x"])(
  "?%s is none at all",
  (query) => {
    expect(given('attachment; filename="a"', "text/plain", query)).toBeUndefined();
  },
);

test("a name that is asked for counts more than the sender's, and means a download", () => {
  expect(given('inline; filename="a"', "text/plain", "filename=b.txt")).toBe("attachment; filename=b.txt");
});

test.each([
  ["a.txt", "a.txt"],
  ["../../etc/passwd", "etcpasswd"],
  ["..\\..\\boot.ini", "boot.ini"],
  [".bashrc", "bashrc"],
  [". . hidden", "hidden"],
  ["a\0b\r\nSet-Cookie: x", "abSet-Cookie: x"],
  ["a\x01\x7f\x9fb", "ab"],
  ["\u202egpj.exe", "gpj.exe"],
  ["x".repeat(300), "x".repeat(255)],
  ["\u{1F600}".repeat(300), "\u{1F600}".repeat(255)],
  ["...", ""],
  ["", ""],
])("the name %j becomes %j", (asked, expected) => {
  expect(safeFilename(asked)).toBe(expected);
});
