import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTHeaderParameters,
  jwtVerify,
  SignJWT,
} from "jose";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

const PATHS = ["/api/v1/auth/me", "/api/v1/wallet/balances", "/api/v1/projects"];
const keyOf = () => createPrivateKey(readFileSync(stack.signingKeyFile));

/** A token that differs from a good one only in what is given. */
function forged(
  claims: Record<string, unknown>,
  { header, key }: { header?: Partial<JWTHeaderParameters>; key?: Parameters<SignJWT["sign"]>[0] } = {},
): Promise<string> {
  const good = decodeProtectedHeader(user.token) as JWTHeaderParameters;
  return new SignJWT({ ...decodeJwt(user.token), ...claims })
    .setProtectedHeader({ ...good, ...header })
    .sign(key ?? keyOf());
}

const refused = async (token: string) => {
  for (const path of PATHS) {
    const { status, body, headers } = await stack.call("GET", path, { token });
    expect(status).toBe(401);
    expect(body).toMatchObject({ statusCode: 401, error: "Unauthorized", code: "INVALID_TOKEN" });
    expect(headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  }
};

const now = () => Math.floor(Date.now() / 1000);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("the published keys verify an access token, and hold nothing private", async () => {
  const { status, body } = await stack.call("GET", "/.well-known/jwks.json");
  expect(status).toBe(200);
  expect(body.keys).toEqual([
    { kty: "OKP", crv: "Ed25519", x: expect.any(String), kid: expect.any(String), alg: "EdDSA", use: "sig" },
  ]);
  const expected = { issuer: "berth", audience: "berth-api", algorithms: ["EdDSA"], typ: "at+jwt" };
  const { payload } = await jwtVerify(user.token, createLocalJWKSet(body), expected);
  expect(payload).toMatchObject({ sub: user.id, username: user.username, role: "user" });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
  const remote = createRemoteJWKSet(new URL(`${stack.url}/.well-known/jwks.json`));
  expect((await jwtVerify(user.token, remote, expected)).payload.sub).toBe(user.id);
});

test("a token that is made again with the same claims and key is good, so that the forgeries below fail for their own reason", async () => {
  const { status, body } = await stack.call("GET", "/api/v1/auth/me", { token: await forged({}) });
  expect({ status, id: body.data?.id }).toEqual({ status: 200, id: user.id });
});

describe("a forged token is refused", () => {
  test("with no signature at all, however the algorithm is spelt", async () => {
    const payload = user.token.split(".")[1] ?? "";
    for (const alg of ["none", "None", "NONE", "nOnE", ""]) {
      await refused(`${encoded({ alg, typ: "at+jwt" })}.${payload}.`);
    }
  });

  test("with an HMAC under the public key", async () => {
    const publicKey = createPublicKey(keyOf());
    const { x = "" } = publicKey.export({ format: "jwk" });
    for (const secret of [
      publicKey.export({ format: "pem", type: "spki" }) as string,
      x as string,
      Buffer.from(x as string, "base64url").toString("latin1"),
    ]) {
      const key = Buffer.from(secret, "latin1");
      await refused(
        await forged({}, { header: { alg: "HS256" }, key: Uint8Array.from(Buffer.concat([key, key])) }),
      );
      await refused(await forged({}, { header: { alg: "HS256" }, key: Uint8Array.from(key) }));
    }
  });

  test("with another Ed25519 key, under our key's name or with the key in its header", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const jwk = publicKey.export({ format: "jwk" }) as Record<string, string>;
    await refused(await forged({}, { key: privateKey }));
    await refused(await forged({}, { key: privateKey, header: { jwk } }));
    const url = `${stack.url}/.well-known/jwks.json`;
    await refused(await forged({}, { key: privateKey, header: { jku: url, kid: "another" } }));
  });

  test("with another role, user or expiry under the old signature", async () => {
    const [header = "", , signature = ""] = user.token.split(".");
    const claims = decodeJwt(user.token);
    for (const change of [{ role: "admin" }, { sub: "0".repeat(24) }, { exp: now() + 86_400 }]) {
      await refused(`${header}.${encoded({ ...claims, ...change })}.${signature}`);
    }
  });

  test("with any one character of the signature changed", async () => {
    const [header, payload, signature = ""] = user.token.split(".");
    for (let i = 0; i < signature.length - 1; i += 17) {
      const other = signature[i] === "A" ? "B" : "A";
      await refused(`${header}.${payload}.${signature.slice(0, i)}${other}${signature.slice(i + 1)}`);
    }
  });
});

describe("a token of ours that is not for this, or not for now, is refused", () => {
  test.each([
    ["expired", () => ({ iat: now() - 1_000, exp: now() - 100 })],
    ["issued longer ago than a token lasts", () => ({ iat: now() - 1_000, exp: now() + 1_000 })],
    ["issued in the future", () => ({ iat: now() + 600, exp: now() + 1_500 })],
    ["not good before a later time", () => ({ nbf: now() + 600 })],
    ["of another issuer", () => ({ iss: "berth2" })],
    ["of no issuer", () => ({ iss: undefined })],
    ["for another audience", () => ({ aud: "berth-console" })],
    ["for no audience", () => ({ aud: undefined })],
    ["without an expiry", () => ({ exp: undefined })],
    ["without the time of its issue", () => ({ iat: undefined })],
    ["without a user", () => ({ sub: undefined })],
    ["without a session", () => ({ sid: undefined })],
    ["of a role that there is not", () => ({ role: "root" })],
    ["of a user id that is none", () => ({ sub: "' OR 1=1" })],
  ])("%s", async (_what, claims) => refused(await forged(claims())));

  test("of another type", async () => {
    for (const typ of ["JWT", "rt+jwt"]) await refused(await forged({}, { header: { typ } }));
  });

  test("of a user who is no more", async () => {
    const token = await forged({ sub: "f".repeat(24) });
    const { status, body } = await stack.call("GET", "/api/v1/auth/me", { token });
    expect({ status, code: body.code }).toEqual({ status: 401, code: "INVALID_TOKEN" });
  });
});

describe("what is no token is refused", () => {
  test.each([
    ["the refresh token", () => user.refreshToken],
    ["nothing", () => ""],
    ["two dots", () => ".."],
    ["the token without its signature", () => user.token.split(".").slice(0, 2).join(".")],
    ["the token twice", () => `${user.token} ${user.token}`],
    ["five thousand characters", () => "a".repeat(5_000)],
  ])("%s", async (_what, token) => {
    const { status, body } = await stack.call("GET", "/api/v1/auth/me", {
      headers: { authorization: `Bearer ${token()}x`.slice(0, -1) },
    });
    expect(status).toBe(401);
    expect(["INVALID_TOKEN", "MISSING_TOKEN"]).toContain(body.code);
  });

  test.each([
    ["no header", {}],
    ["another scheme", { authorization: 'Digest username="ada"' }],
    ["the token without a scheme", { authorization: "eyJhbGciOiJFZERTQSJ9.e30.AA" }],
    ["a cookie", { cookie: "access_token=x" }],
  ])("%s counts as none", async (_what, headers) => {
    for (const path of PATHS) {
      const { status, body, headers: answered } = await stack.call("GET", path, { headers });
      expect({ status, code: body.code }).toEqual({ status: 401, code: "MISSING_TOKEN" });
      expect(answered.get("www-authenticate")).toBe("Bearer");
    }
  });

  test("a token in the URL counts as none, or as a query that is not known", async () => {
    const { status } = await stack.call("GET", `/api/v1/auth/me?access_token=${user.token}`);
    expect(status).toBe(401);
  });
});
