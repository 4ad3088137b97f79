import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EmbeddedStack, startEmbeddedStack, type TestUser } from "../../../../harness/embedded-stack.ts";
import { migratedDatabase } from "../../../../harness/servers.ts";
import { CALLBACK, type CodeHost, startCodeHost } from "./code-host.ts";
import { linking } from "./linking.ts";

let host: CodeHost;
beforeAll(async () => {
  host = await startCodeHost();
});
afterAll(() => host.stop());

async function during(
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
  what: (stack: EmbeddedStack, browser: ReturnType<typeof linking>) => Promise<void>,
): Promise<void> {
  const stack = await startEmbeddedStack({ databaseUrl, env });
  try {
    await what(stack, linking(stack, host));
  } finally {
    await stack.stop();
  }
}

const signedIn = async (stack: EmbeddedStack, user: TestUser): Promise<TestUser> => {
  const { username, password } = user;
  const { body } = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  return { ...user, token: body.data.access_token };
};

test("an offer that ended shows who had claimed what they had, and gives nobody anything", async () => {
  const database = await migratedDatabase();
  const offer = { ...host.env, BERTH_CODEHOST_BONUS_REPO: "berth/berth" };
  let early: TestUser | undefined;
  let claimed: object | undefined;
  await during(database.url, offer, async (stack, { link, claim }) => {
    early = await stack.user();
    await link(early, { id: 5, login: "early" });
    const { body } = await claim(early);
    expect(body.data.result).toBe("granted");
    claimed = body.data.claim;
  });
  await during(
    database.url,
    { ...offer, BERTH_CODEHOST_BONUS: "off" },
    async (stack, { link, status, claim }) => {
      const before = await signedIn(stack, early as TestUser);
      const after = await stack.user();
      expect((await link(after, { id: 6, login: "late" })).status).toBe(200);
      expect(await status(before)).toEqual({ enabled: false, claim: claimed });
      expect(await status(after)).toEqual({ enabled: false });
      expect((await claim(before)).body.data).toEqual({ result: "already_claimed" });
      expect((await claim(after)).body.data).toEqual({ result: "offer_ended" });
    },
  );
  await database.drop();
});

test("where there is no code host nothing is offered, and nothing can be linked", async () => {
  const database = await migratedDatabase();
  await during(database.url, {}, async (stack, { status, claim }) => {
    const user = await stack.user();
    expect(await status(user)).toEqual({ enabled: false });
    expect((await claim(user)).body.data).toEqual({ result: "offer_ended" });
    for (const [method, path] of [
      ["POST", "/api/v1/auth/codehost"],
      ["GET", `${CALLBACK}?state=${user.id}.${"A".repeat(43)}&code=x`],
    ] as const) {
      const answer = await stack.call(method, path, { token: user.token });
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 404,
        code: "CODEHOST_NOT_CONFIGURED",
      });
    }
  });
  await database.drop();
});

test("a code host that does not answer is said to fail, and the status asks it nothing", async () => {
  const database = await migratedDatabase();
  // Its authorization is there, but who the user is cannot be asked.
  const broken = { ...host.env, BERTH_CODEHOST_TOKEN_URL: "http://127.0.0.1:9/token" };
  const env = { ...broken, BERTH_CODEHOST_BONUS_REPO: "berth/berth" };
  await during(database.url, env, async (stack, { link, status }) => {
    const user = await stack.user();
    const { status: got, body } = await link(user, { id: 8, login: "unlucky" });
    expect({ got, code: body.code }).toEqual({ got: 502, code: "CODEHOST_FAILED" });
    expect(await status(user)).toMatchObject({ enabled: true, codehost_linked: false });
  });
  await database.drop();
});
