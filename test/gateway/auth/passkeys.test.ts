import { expect, test } from "bun:test";
import { relyingPartyOf } from "../../../gateway/auth/passkeys.ts";
import { newRecoveryCodes, recoveryCodeHash } from "../../../gateway/auth/recovery-codes.ts";

test.each([
  ["https://berth.example", "berth.example", "https://berth.example"],
  ["https://berth.example:8443", "berth.example", "https://berth.example:8443"],
  ["http://127.0.0.1:3000", "localhost", "http://localhost:3000"],
  ["http://[::1]:3000", "localhost", "http://localhost:3000"],
])("passkeys at %s belong to %s", (url, id, origin) => {
  expect(relyingPartyOf(url)).toEqual({ id, origin });
});

test("where browsers reach the installation by a number there are no passkeys", () => {
  expect([relyingPartyOf("https://203.0.113.7"), relyingPartyOf("https://[2001:db8::1]")]).toEqual([
    null,
    null,
  ]);
});

test("a recovery code is known however it is typed, also with letters that are mistaken for digits", () => {
  const { codes, hashes } = newRecoveryCodes();
  expect(codes.every((code) => /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toBe(true);
  expect(codes.map((code) => recoveryCodeHash(` ${code.toUpperCase().replaceAll("-", "")} `))).toEqual(
    hashes,
  );
  expect(recoveryCodeHash("1o0i-llll")).toBe(recoveryCodeHash("1001-1111"));
});
