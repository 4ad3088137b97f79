import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { lacksChromium } from "../../../../harness/browser.ts";
import { openPage } from "../../../../harness/open-page.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { addAuthenticator, localhostOf } from "../../../../harness/virtual-authenticator.ts";
import { as } from "../pool/team.ts";
import { challengeOf, codeOf, setUpTotp } from "./second-factor.ts";

const missing = lacksChromium();
let stack: SharedStack;
beforeAll(async () => {
  if (!missing) stack = await sharedStack();
});
afterAll(() => stack?.stop());

/** A browser with a device for passkeys, at the address to which they belong. */
async function device(): Promise<Page> {
  const { page } = await openPage(`${localhostOf(stack.url)}/openapi`);
  await addAuthenticator(page);
  return page;
}

const ask = (page: Page, call: "create" | "get", options: unknown): Promise<object> =>
  page.evaluate(
    `(async () => {
      const parse = ${JSON.stringify(call)} === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
      const publicKey = PublicKeyCredential[parse](${JSON.stringify(options)});
      return (await navigator.credentials.${call}({ publicKey })).toJSON();
    })()`,
  );

async function register(page: Page, user: TestUser, proof: object = {}) {
  const call = as(stack, user);
  const body = { current_password: user.password, ...proof };
  const { challenge, options } = (await call("POST", "/auth/passkeys/challenge", body)).body.data;
  const passkey = await ask(page, "create", options);
  return {
    challenge,
    passkey,
    answer: await call("POST", "/auth/passkeys", { challenge, name: "laptop", passkey }),
  };
}

const begin = async () => (await stack.call("POST", "/api/v1/auth/login/passkey-challenge")).body.data;
const signIn = (path: string, body: object) => stack.call("POST", `/api/v1/auth/login/${path}`, { body });

test.skipIf(missing)("a passkey signs in by itself, and each signature once", async () => {
  const [page, user] = [await device(), await stack.user()];
  const { answer, challenge: used, passkey: made } = await register(page, user);
  expect([answer.status, answer.body.data.recovery_codes.length]).toEqual([201, 10]);
  const again = await as(stack, user)("POST", "/auth/passkeys", {
    challenge: used,
    name: "again",
    passkey: made,
  });
  expect(["CHALLENGE_INVALID", "PASSKEY_EXISTS"]).toContain(again.body.code);

  const { challenge, options } = await begin();
  const passkey = await ask(page, "get", options);
  const answers = await Promise.all([1, 2].map(() => signIn("passkey", { challenge, passkey })));
  const [signedIn, ...second] = answers.toSorted((a, b) => a.status - b.status);
  expect([signedIn?.status, second.length]).toEqual([200, 1]);
  // Refused for the challenge, or, if it came late enough, for the passkey's counter.
  expect(["CHALLENGE_INVALID", "INVALID_CREDENTIALS"]).toContain(second[0]?.body.code);
  expect(signedIn?.body.data.user.id).toBe(user.id);
  const other = await begin();
  expect((await signIn("passkey", { challenge: other.challenge, passkey })).body.code).toBe(
    "INVALID_CREDENTIALS",
  );
  // The signature does not cover the account that the device names: it must be that of the key.
  const third = await begin();
  const named = (await ask(page, "get", third.options)) as { response: object };
  for (const userHandle of [Buffer.from("0".repeat(24)).toString("base64url"), null]) {
    const forged = { ...named, response: { ...named.response, userHandle } };
    expect((await signIn("passkey", { challenge: third.challenge, passkey: forged })).body.code).toBe(
      "INVALID_CREDENTIALS",
    );
  }
  expect((await signIn("passkey", { challenge: third.challenge, passkey: named })).status).toBe(200);
});

test.skipIf(missing)(
  "a passkey is the second factor of its own account's password, and of no other's",
  async () => {
    const [page, user, other] = [await device(), await stack.user(), await stack.user()];
    await register(page, user);
    const { challenge, methods, options } = await challengeOf(stack, user);
    expect(methods).toEqual(["passkey", "recovery_code"]);
    const passkey = await ask(page, "get", options);
    const { codes } = await setUpTotp(stack, other);
    const foreign = await challengeOf(stack, other);
    expect((await signIn("second-factor", { challenge: foreign.challenge, passkey })).body.code).toBe(
      "SECOND_FACTOR_WRONG",
    );
    expect(codes).toHaveLength(10);
    expect((await signIn("second-factor", { challenge, passkey })).status).toBe(200);
  },
);

test.skipIf(missing)("a passkey is named, listed, and removed with password and second factor", async () => {
  const [page, user] = [await device(), await stack.user()];
  const call = as(stack, user);
  const { secret, codes } = await setUpTotp(stack, user);
  const refused = await call("POST", "/auth/passkeys/challenge", { current_password: user.password });
  expect(refused.body.code).toBe("SECOND_FACTOR_WRONG");
  const { answer } = await register(page, user, { code: codeOf(secret, 1) });
  // Recovery codes came with the first second factor.
  expect([answer.status, answer.body.data.recovery_codes]).toEqual([201, null]);
  const { id } = answer.body.data;
  expect((await call("PATCH", `/auth/passkeys/${id}`, { name: "phone" })).status).toBe(200);
  const { passkeys } = (await call("GET", "/auth/second-factor")).body.data;
  expect(passkeys).toEqual([expect.objectContaining({ id, name: "phone", last_used_at: null })]);

  const current_password = user.password;
  expect((await call("DELETE", `/auth/passkeys/${id}`, { current_password })).body.code).toBe(
    "SECOND_FACTOR_WRONG",
  );
  const { challenge, options } = (await call("POST", "/auth/second-factor/challenge")).body.data;
  const passkey = await ask(page, "get", options);
  const removed = await call("DELETE", `/auth/passkeys/${id}`, { current_password, challenge, passkey });
  expect(removed.status).toBe(200);
  expect((await call("DELETE", `/auth/passkeys/${id}`, { current_password, code: codes[0] })).body.code).toBe(
    "PASSKEY_NOT_FOUND",
  );
  const other = await begin();
  const late = await ask(page, "get", other.options);
  expect((await signIn("passkey", { challenge: other.challenge, passkey: late })).body.code).toBe(
    "INVALID_CREDENTIALS",
  );
});

test.skipIf(missing)("a passkey of a suspended account does not sign in", async () => {
  const [page, user] = [await device(), await stack.user()];
  await register(page, user);
  const operator = await stack.user({ role: "admin" });
  await as(stack, operator)("POST", `/admin/users/${user.id}/suspend`, { reason: "test" });
  const { challenge, options } = await begin();
  const passkey = await ask(page, "get", options);
  expect((await signIn("passkey", { challenge, passkey })).body.code).toBe("ACCOUNT_SUSPENDED");
});
