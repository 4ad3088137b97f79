import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { newId } from "../../../../../actors/platform/ids.ts";
import { endedSessionsKey } from "../../../../../schemas/subjects.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { type Buckets, bucketsOf, tenant } from "./hosting.ts";

/** Records and hosts are compared as a whole every 15 s. */
const SWEPT = { everyMs: 100 };

let stack: SharedStack;
let server: string;
let ours: Awaited<ReturnType<typeof tenant>>;
let buckets: Buckets;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  ours = await tenant(stack, server);
  await ours.container("web");
  buckets = await bucketsOf(stack, server);
});
afterAll(async () => {
  await buckets?.close();
  await stack.stop();
});

const sessionOf = (token: string) => String(decodeJwt(token).sid);
const signIn = async (): Promise<string> => {
  const { username, password } = ours.user;
  return (await stack.call("POST", "/api/v1/auth/login", { body: { username, password } })).body.data
    .access_token;
};
const told = async (userId = ours.user.id) => (await buckets.endedSessions(userId))?.sessions ?? [];
const knows = async (id: string) => (await told()).some((session) => session.id === id);

test("a host is told of the sessions of its users that ended, the last one first", async () => {
  const token = await signIn();
  await stack.call("POST", "/api/v1/auth/logout", { token });
  await until(() => knows(sessionOf(token)));
  const doc = await buckets.endedSessions(ours.user.id);
  expect(doc).toEqual({
    server_name: server,
    user_id: ours.user.id,
    sessions: [{ id: sessionOf(token), ended_at: expect.any(String) }],
    refused_before: null,
  });
  const next = await signIn();
  await stack.call("POST", "/api/v1/auth/logout", { token: next });
  await until(() => knows(sessionOf(next)));
  expect((await told()).map(({ id }) => id)).toEqual([sessionOf(next), sessionOf(token)]);
});

test("an API token that is deleted is among them", async () => {
  const made = await stack.call("POST", "/api/v1/auth/tokens", {
    token: ours.token,
    body: { name: "short", permissions: ["resources.read"] },
  });
  await stack.call("DELETE", `/api/v1/auth/tokens/${made.body.data.id}`, { token: ours.token });
  await until(() => knows(made.body.data.id));
});

test("a session that is stolen and noticed by its refresh token is among them", async () => {
  const { username, password } = ours.user;
  const { body } = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  const { access_token, refresh_token } = body.data;
  for (let uses = 0; uses < 2; uses++) {
    await stack.call("POST", "/api/v1/auth/refresh", { body: { refresh_token } });
  }
  await until(() => knows(sessionOf(access_token)));
});

test("who has no business on a host is not told of there, until there is one; a bucket that is lost is filled again", async () => {
  const member = await stack.user();
  await stack.call("POST", "/api/v1/auth/logout", { token: member.token });
  expect(await told(member.id)).toEqual([]);
  // A member joins the pool of the server: access comes with the ended sessions.
  const [pool] = await stack.db`SELECT id FROM pools WHERE owner_id = ${ours.user.id} AND is_default`;
  await stack.db`UPDATE rentals SET pool_id = ${pool?.id} WHERE user_id = ${ours.user.id}`;
  await stack.db`INSERT INTO pool_members (pool_id, user_id, role, joined_at)
    VALUES (${pool?.id}, ${member.id}, 'user', now())`;
  const [first] = (await ours.call("GET", "")).body.data.containers;
  await stack.actors.container(first.id).update_access({ access_revision: 1_000 });
  await until(async () => (await buckets.container(first.id))?.grants?.includes(member.id));
  expect((await told(member.id)).map(({ id }) => id)).toEqual([sessionOf(member.token)]);
  await buckets.lose();
  await until(async () => (await told(member.id)).length === 1 && (await told()).length > 0, SWEPT);
});

test("entries that are over are taken away", async () => {
  const stranger = newId();
  await buckets.putRaw(
    endedSessionsKey(stranger),
    JSON.stringify({
      server_name: server,
      user_id: stranger,
      sessions: [{ id: newId(), ended_at: "2020-01-01T00:00:00.000Z" }],
      refused_before: null,
    }),
  );
  await until(async () => (await buckets.endedSessions(stranger)) === undefined, SWEPT);
});
