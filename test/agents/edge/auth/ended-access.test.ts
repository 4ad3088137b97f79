import { afterAll, expect, test } from "bun:test";
import { until } from "../../../harness/until.ts";
import { newId } from "../../network/nft/rules.ts";
import { SERVER, startEdge } from "../edge-under-test.ts";
import { bearer, startProtectedEdge } from "./protected-edge.ts";

const { edge, services, user, projectId, container, host, addressOf, enter, close } =
  await startProtectedEdge();
afterAll(close);

test("a session that ended takes its tokens and its cookies with it, and no other session's", async () => {
  const sid = newId();
  const token = await edge.signer.forContainer(user, container, { claims: { sid } });
  const cookie = await enter(host, token);
  const other = await enter();
  edge.endSession(user, sid);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(401);
  expect((await edge.request("/", host, bearer(token))).status).toBe(401);
  expect((await edge.request(`/?access_token=${token}`, host)).status).toBe(401);
  expect((await edge.request("/", host, { headers: { cookie: other } })).status).toBe(200);
});

test("who impersonates a user is let go when the administrator's session ends", async () => {
  const [sid, administrator] = [newId(), newId()];
  const claims = { sid, act: { sub: administrator } };
  const cookie = await enter(host, await edge.signer.forContainer(user, container, { claims }));
  edge.endSession(user, sid);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(200);
  edge.endSession(administrator, sid);
  expect((await edge.request("/", host, { headers: { cookie } })).status).toBe(401);
});

test("when more sessions ended than are told one by one, what was made before is refused and what is made after is not", async () => {
  const somebody = newId();
  const id = edge.container({ projectId, grants: [somebody] });
  const before = await edge.signer.forContainer(somebody, id);
  const at = new Date(Date.now() + 1_000);
  edge.ended.add({
    server_name: SERVER,
    user_id: somebody,
    sessions: [],
    refused_before: at.toISOString(),
  });
  expect((await edge.request("/", addressOf(id), bearer(before))).status).toBe(401);
  await until(() => Date.now() > at.getTime() + 1_000);
  const after = await edge.signer.forContainer(somebody, id);
  expect((await edge.request("/", addressOf(id), bearer(after))).status).toBe(200);
});

test("after a start, requests wait until the host has heard which sessions ended", async () => {
  await using starting = await startEdge({ services, signer: edge.signer, isSynced: false });
  const id = starting.container({ projectId, grants: [user] });
  const sid = newId();
  const token = await edge.signer.forContainer(user, id, { claims: { sid } });
  const asked = starting.request("/", addressOf(id), bearer(token));
  starting.endSession(user, sid);
  starting.ended.synced();
  expect((await asked).status).toBe(401);
});

test("whoever may enter some services alone finds nothing at the others, by token, cookie and link", async () => {
  const limitedTo = (services: string[]) => ({
    ...{ projectId, address: "127.0.0.1", grants: [] },
    limitedGrants: [{ user_id: user, services }],
  });
  const id = edge.container(limitedTo(["terminal"]));
  const where = addressOf(id);
  const token = await edge.signer.forContainer(user, id);
  const cookie = await enter(where, token);
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(200);
  expect((await edge.request("/", where.replace("-terminal-", "-pipe-"), bearer(token))).status).toBe(404);
  edge.containers.set(id, limitedTo(["pipe", "files"]));
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(404);
  expect((await edge.request("/", where, bearer(token))).status).toBe(404);
  expect((await edge.request(`/?access_token=${token}`, where)).status).toBe(404);
});

test("whoever is taken off the list is refused at once, whatever they hold", async () => {
  const id = edge.container({ projectId, grants: [user] });
  const where = addressOf(id);
  const token = await edge.signer.forContainer(user, id);
  const cookie = await enter(where, token);
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(200);
  edge.containers.set(id, { projectId, address: "127.0.0.1", grants: [] });
  expect((await edge.request("/", where, { headers: { cookie } })).status).toBe(404);
  expect((await edge.request("/", where, bearer(token))).status).toBe(404);
});
