import { expect, test } from "bun:test";
import { targetPathOf } from "../../../../actors/hosting/alias/path.ts";

test.each([
  ["app", "/app"],
  ["/app/", "/app/"],
  ["", "/"],
  ["/", "/"],
  ["/a b".replace(" ", "%20"), "/a%20b"],
  ["/..a/b..c/...", "/..a/b..c/..."],
  [`/~user/(a),b;c='d'!$&*+:@/-._`, `/~user/(a),b;c='d'!$&*+:@/-._`],
])("%s is kept as %s", (asked, kept) => {
  expect(targetPathOf(asked)).toBe(kept);
});

test("the longest path has 2048 characters with its leading slash, written or added", () => {
  expect(targetPathOf("x".repeat(2047))).toBe(`/${"x".repeat(2047)}`);
  expect(targetPathOf(`/${"x".repeat(2047)}`)).toHaveLength(2048);
});

test.each([
  ["a query", "/a?b=c"],
  ["a fragment", "/a#b"],
  ["a space", "/a b"],
  ["a line break", "/a\r\nHost: evil"],
  ["a control character", "/a\u0007"],
  ["an encoded control character", "/a%0d%0a"],
  ["an encoded NUL", "/a%00"],
  ["a backslash", "/a\\b"],
  ["an encoded backslash", "/a%5c..%5cb"],
  ["a way up", "/a/../b"],
  ["a way up at the start", "../b"],
  ["a way up at the end", "/a/.."],
  ["an encoded way up", "/a/%2e%2E/b"],
  ["a half encoded way up", "/a/.%2e/b"],
  ["a way up behind an encoded slash", "/a%2f..%2fb"],
  ["a dot segment", "/a/./b"],
  ["another host", "//evil.example"],
  ["another host in encoding", "/%2fevil.example"],
  ["a broken encoding", "/a%2"],
  ["an encoding that is no UTF-8", "/%ff"],
  ["letters that are not encoded", "/ä"],
  ["more than 2048 characters", `/${"x".repeat(2048)}`],
  ["more than 2048 characters once a slash is added", "x".repeat(2048)],
])("%s is refused", (_what, asked) => {
  expect(() => targetPathOf(asked)).toThrow("body.target_path");
});
