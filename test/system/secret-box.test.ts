import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSecretBox, SecretBox } from "../../system/secret-box.ts";
import { temporaryFolder } from "../harness/servers.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];

test("a value comes back with its key and for its place only", () => {
  const box = new SecretBox([first]);
  for (const value of ["", "hunter2", "ü\n".repeat(1_000)]) {
    const sealed = box.seal(value, "a B");
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(box.open(sealed, "a B")).toBe(value);
    expect(box.open(sealed, "a C")).toBeNull();
    expect(new SecretBox([second]).open(sealed, "a B")).toBeNull();
  }
});

test("what was changed, or was never encrypted, is not opened", () => {
  const box = new SecretBox([first]);
  const sealed = box.seal("hunter2", "a");
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(box.open(`v1.${changed.toString("base64url")}`, "a")).toBeNull();
  }
  for (const text of ["", "hunter2", "v1.", "v1.AAAA", sealed.replace("v1.", "v2.")])
    expect(box.open(text, "a")).toBeNull();
});

test("the same value of the same place is the same text, so that a repeated request is recognised; elsewhere it is not", () => {
  const box = new SecretBox([first]);
  expect(box.seal("hunter2", "a")).toBe(box.seal("hunter2", "a"));
  expect(box.seal("hunter2", "a")).not.toBe(box.seal("hunter2", "b"));
  expect(box.seal("hunter2", "a")).not.toBe(box.seal("hunter3", "a"));
});

test("a new key goes in front: it encrypts, and what the old one encrypted is read still", () => {
  const file = join(temporaryFolder(), "secrets.key");
  const keys = (...all: Buffer[]) =>
    writeFileSync(file, `${all.map((key) => key.toString("base64")).join("\n")}\n`);
  keys(first);
  const old = readSecretBox(file).seal("hunter2", "a");
  keys(second, first);
  const both = readSecretBox(file);
  expect(both.open(old, "a")).toBe("hunter2");
  expect(new SecretBox([second]).open(both.seal("hunter2", "a"), "a")).toBe("hunter2");
});

test("a file without a key, or with one of another length, is refused", () => {
  const file = join(temporaryFolder(), "secrets.key");
  for (const text of ["", "\n", randomBytes(16).toString("base64"), `${first.toString("base64")}\nAAAA\n`]) {
    writeFileSync(file, text);
    expect(() => readSecretBox(file)).toThrow(/must hold 1 to 8 keys of 32 bytes in base64/);
  }
});
