import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { connect } from "nats";
import { accessKeysSubject } from "../../../../../schemas/subjects.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { localhostOf } from "../../../../harness/virtual-authenticator.ts";
import { tenant } from "./hosting.ts";

type Tenant = Awaited<ReturnType<typeof tenant>>;

let stack: SharedStack;
let server: string;
let otherServer: string;
let ours: Tenant;
let theirs: Tenant;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  otherServer = await stack.serverName();
  ours = await tenant(stack, server);
  theirs = await tenant(stack, otherServer);
});
afterAll(() => stack.stop());

test("whoever may use a container gets a token for it, and where it is good", async () => {
  const { body: made } = await ours.create("app");
  const { status, body } = await ours.call("POST", `/${made.data.id}/access`);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    access_token: expect.any(String),
    expires_in: 300,
    urls: made.data.services,
    services: null,
  });
  const { iat = 0, sid, ...claims } = decodeJwt(body.data.access_token);
  // It ends with the session that it was made in, and nothing that it opens outlasts it by more than half a day.
  expect(sid).toBe(decodeJwt(ours.token).sid);
  expect(Math.abs(Number(claims.session_exp) - iat - 12 * 60 * 60)).toBeLessThanOrEqual(60);
  expect(claims).toMatchObject({
    sub: ours.user.id,
    aud: "berth-container",
    container_id: made.data.id,
  });
  // It opens that container and nothing of the API.
  const { status: elsewhere } = await stack.call("GET", "/api/v1/containers", {
    token: body.data.access_token,
  });
  expect(elsewhere).toBe(401);
});

test("a console that is reached by another name of this machine may frame the container's pages, and no other page", async () => {
  const { body: made } = await ours.create("framed");
  const consoleFrom = async (origin: string) => {
    const path = `/api/v1/containers/${made.data.id}/access`;
    const { body } = await stack.call("POST", path, { token: ours.token, headers: { origin } });
    return decodeJwt(body.data.access_token).console;
  };
  const here = new URL(stack.url).origin;
  expect(await consoleFrom(localhostOf(here))).toBe(localhostOf(here));
  expect(await consoleFrom(here)).toBe(here);
  expect(await consoleFrom("https://other.example")).toBe(here);
});

test("another's container has no access to give, and answers as a missing one", async () => {
  const { body: made } = await theirs.create("app");
  const { body: other } = await ours.call("POST", `/${made.data.id}/access`);
  const { body: missing } = await ours.call("POST", `/${"0".repeat(24)}/access`);
  expect(other).toEqual(missing);
  expect(other.statusCode).toBe(404);
});

test("an agent is told the public keys, at its own inbox and nowhere else", async () => {
  const { hostname, port, username, password } = new URL(stack.agentUrl(server));
  const servers = `${hostname}:${port}`;
  const subject = accessKeysSubject(server);
  const agent = await connect({ servers, user: username, pass: password });
  const own = new URL(stack.natsUrl);
  const control = await connect({ servers, user: own.username, pass: own.password });
  const answer = await agent.request(subject, "", { timeout: 60_000 });
  expect(answer.json()).toEqual((await stack.call("GET", "/.well-known/jwks.json")).body);

  const heard: string[] = [];
  control.subscribe("act.elsewhere", { callback: (_error, message) => void heard.push(message.string()) });
  await control.flush();
  agent.publish(subject, "", { reply: "act.elsewhere" });
  // What was asked later is answered: the other one would have been, too.
  await agent.request(subject, "", { timeout: 60_000 });
  await control.flush();
  expect(heard).toEqual([]);
  await agent.close();
  await control.close();
});
