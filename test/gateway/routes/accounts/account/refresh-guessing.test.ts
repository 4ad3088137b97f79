import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";

let stack: EmbeddedStack;
beforeAll(async () => {
  // The tests are the proxy, and say from where each request comes.
  stack = await startEmbeddedStack({ env: { BERTH_TRUSTED_PROXIES: "127.0.0.1,::1" } });
});
afterAll(() => stack.stop());

const OWNER = "203.0.113.5";
const GUESSER = "198.51.100.66";

const refresh = (refresh_token: string, from: string) =>
  stack.call("POST", "/api/v1/auth/refresh", {
    body: { refresh_token },
    headers: { "x-forwarded-for": from },
  });
const meOf = async (token: string) => (await stack.call("GET", "/api/v1/auth/me", { token })).status;

/** A token for this user's session with secrets that were made up: the form is right, the ids are known. */
function guessAt({ refreshToken }: TestUser): string {
  const [userId, sessionId, ...secrets] = refreshToken.split(".");
  const madeUp = secrets.map((secret) =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(64)))
      .toString("base64url")
      .slice(0, secret.length),
  );
  return [userId, sessionId, ...madeUp].join(".");
}

describe("a guessed refresh token of a session whose id is known", () => {
  test("is unknown, and ends nothing", async () => {
    const user = await stack.user();
    const { status, body } = await refresh(guessAt(user), GUESSER);
    expect([status, body.code]).toEqual([401, "INVALID_TOKEN"]);
    expect(await meOf(user.token)).toBe(200);
    expect((await refresh(user.refreshToken, OWNER)).status).toBe(200);
    const [session] = await stack.db`SELECT ended_at FROM sessions WHERE user_id = ${user.id}`;
    expect(session?.ended_at).toBeNull();
  });

  test("is unknown too if it has the newest token's rotating secret, and another family", async () => {
    const user = await stack.user();
    const [userId, sessionId, family = "", secret, check] = user.refreshToken.split(".");
    const other = family.startsWith("A") ? `B${family.slice(1)}` : `A${family.slice(1)}`;
    expect((await refresh([userId, sessionId, other, secret, check].join("."), GUESSER)).status).toBe(401);
    expect((await refresh(user.refreshToken, OWNER)).status).toBe(200);
  });

  test("is unknown too if it was damaged on its way: a part of it is no longer as it was issued", async () => {
    const user = await stack.user();
    const [userId, sessionId, family, secret = "", check] = user.refreshToken.split(".");
    const damaged = secret.startsWith("A") ? `B${secret.slice(1)}` : `A${secret.slice(1)}`;
    const answer = await refresh([userId, sessionId, family, damaged, check].join("."), GUESSER);
    expect(answer.status).toBe(401);
    expect(await meOf(user.token)).toBe(200);
    expect((await refresh(user.refreshToken, OWNER)).status).toBe(200);
  });

  test("ends the session only if it is a former one of the family, however long ago", async () => {
    const user = await stack.user();
    let newest = user.refreshToken;
    for (let i = 0; i < 4; i++) newest = (await refresh(newest, OWNER)).body.data.refresh_token;
    expect((await refresh(user.refreshToken, GUESSER)).status).toBe(401);
    expect(await meOf(user.token)).toBe(401);
    expect((await refresh(newest, OWNER)).status).toBe(401);
  });
});

describe("guesses", () => {
  test("at one session are limited for the address that makes them, and for nobody else", async () => {
    const user = await stack.user();
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push(await refresh(guessAt(user), GUESSER));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429]);
    expect(answers[11]?.body.code).toBe("RATE_LIMITED");
    expect(Number(answers[11]?.headers.get("retry-after"))).toBeWithin(1, 61);
    expect((await refresh(user.refreshToken, OWNER)).status).toBe(200);
  });

  test("at many sessions from one address are limited, and its sessions elsewhere go on", async () => {
    const from = "198.51.100.77";
    const id = () => crypto.randomUUID().replaceAll("-", "").slice(0, 24);
    const nobody = () => `${id()}.${id()}.${"A".repeat(22)}.${"A".repeat(43)}.${"A".repeat(22)}`;
    const statuses = [];
    for (let i = 0; i < 101; i++)
      statuses.push((await refresh(i % 2 === 0 ? nobody() : "none", from)).status);
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true);
    expect(statuses[100]).toBe(429);
    const user = await stack.user();
    expect((await refresh(user.refreshToken, OWNER)).status).toBe(200);
  });
});

test("valid refreshes of one session are limited, and a session beside it is not", async () => {
  const [busy, other] = [await stack.user(), await stack.user()];
  let newest = busy.refreshToken;
  const statuses = [];
  for (let i = 0; i < 31; i++) {
    const { status, body } = await refresh(newest, OWNER);
    statuses.push(status);
    newest = body.data.refresh_token ?? newest;
  }
  expect(statuses).toEqual([...Array(30).fill(200), 429]);
  // What was refused is not used up: the session goes on.
  expect(await meOf(busy.token)).toBe(200);
  expect((await refresh(other.refreshToken, OWNER)).status).toBe(200);
});
