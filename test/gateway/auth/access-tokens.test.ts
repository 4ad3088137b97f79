import { describe, expect, test } from "bun:test";
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import { TokenIssuer, TokenVerifier } from "../../../gateway/auth/access-tokens.ts";
import { type AccessClaims, TOKEN_AUDIENCE, TOKEN_ISSUER } from "../../../schemas/accounts/auth.ts";
import { otherSpellings } from "./token-spellings.ts";

const claims: AccessClaims = { sub: "a".repeat(24), sid: "b".repeat(24), role: "user", username: "demo" };
const privateJwk = await TokenIssuer.generateKey();
const issuer = await TokenIssuer.create(privateJwk);
const issued = (await issuer.issue(claims)).token;
const MINUTE = 60_000;

function verifierAt(start = Date.now()) {
  const clock = { now: start };
  /** Sessions that the database says have ended, and those that it was asked about. */
  const ended = new Set<string>();
  const asked: string[] = [];
  const hasEnded = async (sessionId: string) => {
    asked.push(sessionId);
    return ended.has(sessionId);
  };
  return { clock, ended, asked, tokens: new TokenVerifier(issuer.jwks(), hasEnded, () => clock.now) };
}
const verified = async (tokens: TokenVerifier, token: string) => tokens.verify(token);
const refused = async (tokens: TokenVerifier, token: string) => {
  const error = await verified(tokens, token).then(
    () => undefined,
    (thrown) => thrown.code,
  );
  expect(error).toBe("INVALID_TOKEN");
};

/** A token of our own key with some of its parts changed. */
async function forged(payload: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) {
  const seconds = Math.floor(Date.now() / 1000);
  const whole = {
    ...claims,
    iss: TOKEN_ISSUER,
    aud: TOKEN_AUDIENCE,
    iat: seconds,
    exp: seconds + 900,
    ...payload,
  };
  return new SignJWT(whole)
    .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: issuer.jwks().keys[0]?.kid ?? "", ...header })
    .sign(await importJWK(privateJwk, "EdDSA"));
}
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("an issued token gives its caller back, for a quarter of an hour", async () => {
  const { token, expiresIn } = await issuer.issue(claims);
  expect(expiresIn).toBe(900);
  expect(await verified(verifierAt().tokens, token)).toEqual({
    userId: claims.sub,
    username: "demo",
    role: "user",
    sessionId: claims.sid,
    credential: "account",
  });
});

test("the published key set holds no private part", () => {
  const [key] = issuer.jwks().keys;
  expect(Object.keys(key ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
});

describe("refused", () => {
  test("a token of another issuer, audience, type, age or without a claim", async () => {
    const { tokens } = verifierAt();
    const past = Math.floor(Date.now() / 1000) - 1000;
    await verified(tokens, await forged());
    await refused(tokens, await forged({ iss: "another" }));
    await refused(tokens, await forged({ aud: "another" }));
    await refused(tokens, await forged({}, { typ: "JWT" }));
    await refused(tokens, await forged({ iat: past, exp: past + 900 }));
    await refused(tokens, await forged({ iat: past, exp: past + 100_000 }));
    await refused(tokens, await forged({ iat: past + 100_000, exp: past + 100_900 }));
    await refused(tokens, await forged({ role: "root" }));
    await refused(tokens, await forged({ sub: "1" }));
    for (const claim of ["exp", "iat", "sub", "sid", "role", "username", "iss", "aud"]) {
      await refused(tokens, await forged({ [claim]: undefined }));
    }
  });

  test("a token that is unsigned, or signed with the public key as a secret", async () => {
    const { tokens } = verifierAt();
    const [, payload] = (await issuer.issue(claims)).token.split(".");
    for (const alg of ["none", "None", "EdDSA"]) {
      await refused(tokens, `${encoded({ alg, typ: "at+jwt" })}.${payload}.`);
    }
    const secret = new TextEncoder().encode(JSON.stringify(issuer.jwks().keys[0]));
    const header = { alg: "HS256", typ: "at+jwt", kid: issuer.jwks().keys[0]?.kid ?? "" };
    await refused(tokens, await new SignJWT(claims).setProtectedHeader(header).sign(secret));
  });

  test.each(otherSpellings(issued))("%s, however good its signature is", async (_, token) => {
    await refused(verifierAt().tokens, token);
  });

  test("a token of another key, even one that brings its key along or claims our key's id", async () => {
    const { tokens } = verifierAt();
    const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
    const kid = issuer.jwks().keys[0]?.kid ?? "";
    const seconds = Math.floor(Date.now() / 1000);
    const payload = { ...claims, iss: TOKEN_ISSUER, aud: TOKEN_AUDIENCE, iat: seconds, exp: seconds + 900 };
    for (const extra of [{ kid }, { jwk: await exportJWK(publicKey) }, { kid: "another" }]) {
      const header = { alg: "EdDSA", typ: "at+jwt", ...extra };
      await refused(tokens, await new SignJWT(payload).setProtectedHeader(header).sign(privateKey));
    }
  });
});

describe("remembering", () => {
  test("a token is verified once for all who bring it at the same time, and at once after that", async () => {
    const { tokens } = verifierAt();
    const { token } = await issuer.issue(claims);
    const first = tokens.verify(token);
    expect(first).toBeInstanceOf(Promise);
    expect(tokens.verify(token)).toBe(first);
    const caller = await first;
    expect(tokens.verify(token)).toBe(caller);
  });

  test("a remembered token is refused once it has expired", async () => {
    const { tokens, clock } = verifierAt();
    const { token } = await issuer.issue(claims);
    await verified(tokens, token);
    clock.now += 14 * MINUTE;
    await verified(tokens, token);
    clock.now += 2 * MINUTE;
    await refused(tokens, token);
  });
});

describe("a session that ended", () => {
  test("has none of its tokens accepted, remembered or not", async () => {
    const { tokens } = verifierAt();
    const known = (await issuer.issue(claims)).token;
    await verified(tokens, known);
    tokens.endSession(claims.sid);
    await refused(tokens, known);
    await refused(tokens, (await issuer.issue({ ...claims, username: "unseen" })).token);
    await verified(tokens, (await issuer.issue({ ...claims, sid: "c".repeat(24) })).token);
  });

  test("has a token refused whose verification was under way", async () => {
    const { tokens } = verifierAt();
    const underway = tokens.verify((await issuer.issue(claims)).token);
    tokens.endSession(claims.sid);
    expect(Promise.resolve(underway)).rejects.toMatchObject({ code: "INVALID_TOKEN" });
  });

  test("stays ended when so many end that it must be forgotten", async () => {
    const { tokens, clock, ended } = verifierAt();
    const { token } = await issuer.issue(claims);
    await verified(tokens, token);
    clock.now += MINUTE;
    ended.add(claims.sid);
    tokens.endSession(claims.sid);
    for (let i = 0; i < 100_001; i++) tokens.endSession(String(i));
    await refused(tokens, token);
    await refused(tokens, (await issuer.issue({ ...claims, username: "unseen" })).token);
  });

  test("keeps no good token from being accepted, however many end: its session is looked up once", async () => {
    const { tokens, clock, asked } = verifierAt();
    const { token } = await issuer.issue(claims);
    const other = (await issuer.issue({ ...claims, sid: "c".repeat(24) })).token;
    await verified(tokens, token);
    for (let i = 0; i < 100_400; i++) tokens.endSession(String(i));
    clock.now += 1;
    await Promise.all([verified(tokens, token), verified(tokens, token)]);
    await verified(tokens, token);
    await verified(tokens, other);
    expect(asked).toEqual([claims.sid, "c".repeat(24)]);
  });

  test("that ends while it is looked up has its token refused", async () => {
    const { tokens, clock } = verifierAt();
    const { token } = await issuer.issue(claims);
    for (let i = 0; i < 100_400; i++) tokens.endSession(String(i));
    clock.now += 1;
    const underway = verified(tokens, token);
    tokens.endSession(claims.sid);
    await expect(underway).rejects.toMatchObject({ code: "INVALID_TOKEN" });
  });
});
