import { expect, test } from "bun:test";
import { targetPath } from "../../../agents/edge/paths.ts";
import { Refusal } from "../../../agents/http1/refusal.ts";

test.each([
  "/..",
  "/../secret",
  "/a/../../secret",
  "/..;/secret",
  "/..;jsessionid=1/secret",
  "/a;x=1/..;y=2/../secret",
  "/%2e%2e/secret",
  "/.%2E/secret",
  "/%2e./secret",
  "/..%2fsecret",
  "/..%2Fsecret",
  "/..%3b/secret",
  "/..%3bx=y%2fsecret",
  "/%252e%252e/secret",
  "/%252e%252e%252fsecret",
  "/%25252e%25252e/secret",
  "/..%252fsecret",
  "/%%32%65%%32%65/secret",
  "/..\\secret",
  "/a\\..\\..\\secret",
  "/..%5csecret",
  "/..%255csecret",
  "/%2e%2e%5c%2e%2e%5csecret",
  "/.%09./secret",
  "/%09../secret",
  "/..%0a/secret",
  "/.%0d%0a./secret",
  "/..%20/secret",
  "/..%00/secret",
  "/..%00.html",
  "/..%2500/secret",
  "/%c0%ae%c0%ae/secret",
  "/%e0%80%ae./secret",
  "/..%c0%afsecret",
  "/..%c1%9csecret",
  "//../secret",
  "/a//..//../secret",
  "/a/%2e%2e;v=1/%2e%2e/secret",
])("%s would leave its base for some server, and is refused", (path) => {
  expect(() => targetPath(path, "/app", true)).toThrow(Refusal);
});

test.each([
  "/",
  "/a..b",
  "/..a/b..",
  "/...",
  "/a/.../b",
  "/.well-known/x",
  "/./a",
  "/%2e/a",
  "/100%25.txt",
  "/100%25..txt",
  "/a%20b%2fc",
  "/a;b=..;c",
  "/a;v=1/b;w=2",
  "/;x/a",
  "/a%3Bb",
  "/50%25%20off",
  "/%E2%80%A6/%C3%A4",
  "/100%",
  "/%zz/%2",
  "//double//slash",
  "/a\\b",
  "/x?back=../../y&z=%2e%2e%2f",
])("%s stays within its base as it was written", (path) => {
  expect(targetPath(path, "/app", true)).toBe(`/app${path}`);
});

test("without a base, or with one that is the root, a path passes as it was written", () => {
  for (const path of ["/../secret", "/..;/x", "/%252e%252e/", "//a", "*"]) {
    expect(targetPath(path, null, true)).toBe(path);
  }
  expect(targetPath("/../x?a", "/", true)).toBe("/../x?a");
  expect(targetPath("/x", "/?cwd=/srv", true)).toBe("/x?cwd=/srv");
});

test("a base that takes the path's place takes that of the whole server, too", () => {
  expect(targetPath("/../x?a=b", "/only", false)).toBe("/only?a=b");
  expect(targetPath("*", "/only", false)).toBe("/only");
  expect(targetPath("*", "/app", true)).toBe("/app");
  expect(targetPath("/x", null, false)).toBe("/");
});

test("a path of nothing but escapes is looked at in no more time than any other", () => {
  // Each decoding gives another path to decode: thousands of them, if nothing bounds it.
  const path = `/%${"25".repeat(20_000)}2e`;
  expect(targetPath(path, "/app", true)).toBe(`/app${path}`);
});
