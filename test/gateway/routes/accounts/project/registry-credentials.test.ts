import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "nats";
import { registryCredentialSubject } from "../../../../../schemas/subjects.ts";
import { type SharedStack, sharedStack } from "../../../../harness/shared-stack.ts";
import { tenant } from "../../hosting/container/hosting.ts";

type Tenant = Awaited<ReturnType<typeof tenant>>;

let stack: SharedStack;
let server: string;
let otherServer: string;
let ours: Tenant;
let theirs: Tenant;
beforeAll(async () => {
  stack = await sharedStack();
  [server, otherServer] = [await stack.serverName(), await stack.serverName()];
  [ours, theirs] = [await tenant(stack, server), await tenant(stack, otherServer)];
});
afterAll(() => stack.stop());

const PASSWORD = "correct horse";
const at = (registry = "", project = ours.projectId) =>
  `/api/v1/projects/${project}/registry-credentials${registry && `/${registry}`}`;
const put = (registry: string, body: object, { token } = ours) =>
  stack.call("PUT", at(registry), { token, body });

test("a project's credential is set and replaced, and no reply or event has its password", async () => {
  const { token } = ours;
  const first = await put("registry.example:5000", { username: "ann", password: "first" });
  expect(first.status).toBe(200);
  expect(first.body.data).toEqual({
    registry: "registry.example:5000",
    username: "ann",
    updated_at: expect.any(String),
  });
  await put("registry.example:5000", { username: "bob", password: PASSWORD });
  await put("index.docker.io", { username: "hub", password: PASSWORD });
  const listed = await stack.call("GET", at(), { token });
  expect(listed.body.data.registry_credentials).toMatchObject([
    { registry: "docker.io", username: "hub" },
    { registry: "registry.example:5000", username: "bob" },
  ]);
  const events = await stack.call("GET", "/api/v1/events?limit=100", { token });
  for (const seen of [first, listed, events]) expect(JSON.stringify(seen.body)).not.toContain(PASSWORD);
  const rows =
    await stack.db`SELECT registry_credentials::text AS stored FROM projects WHERE id = ${ours.projectId}`;
  expect(rows[0]?.stored).not.toContain(PASSWORD);
});

test("what is no registry or no user is refused by its field, and another's project is not found", async () => {
  const body = { username: "ann", password: PASSWORD };
  for (const text of ["no registry", "ghcr", "ghcr.io/team", "ghcr.io:0"]) {
    const wrong = await put(encodeURIComponent(text), body);
    expect([text, wrong.status, wrong.body.message]).toEqual([
      text,
      400,
      expect.stringContaining("registry"),
    ]);
  }
  for (const username of ["", "a:b", " ", "a\nb", "\t", "a\0b"]) {
    const { status, body: answer } = await put("ghcr.io", { ...body, username });
    expect([username, status, answer.data?.field]).toEqual([username, 400, "body.username"]);
  }
  expect((await put("ghcr.io", body, theirs)).status).toBe(404);
  expect((await stack.call("GET", at(), { token: theirs.token })).status).toBe(404);
});

test("a host learns the credential for the image of its own container, and no other", async () => {
  const open = async (name: string) => {
    const { hostname, port, username, password } = new URL(stack.agentUrl(name));
    return connect({ servers: `${hostname}:${port}`, user: username, pass: password });
  };
  const [agent, other] = await Promise.all([open(server), open(otherServer)]);
  const asks = async (connection: typeof agent, name: string, container_id: string) =>
    (
      await connection.request(registryCredentialSubject(name), JSON.stringify({ container_id }), {
        timeout: 60_000,
      })
    ).json();
  const { body } = await ours.create("private", { image: "registry.example:5000/team/app:1" });
  const { body: elsewhere } = await ours.create("elsewhere", { image: "ghcr.io/team/app:1" });
  expect(await asks(agent, server, body.data.id)).toEqual({
    registry: "registry.example:5000",
    username: "bob",
    password: PASSWORD,
  });
  expect(await asks(agent, server, elsewhere.data.id)).toBeNull();
  expect(await asks(other, otherServer, body.data.id)).toBeNull();
  const { token } = ours;
  expect((await stack.call("DELETE", at("registry.example:5000"), { token })).status).toBe(200);
  expect(await asks(agent, server, body.data.id)).toBeNull();
  expect((await stack.call("DELETE", at("registry.example:5000"), { token })).status).toBe(404);
  await Promise.all([agent.close(), other.close()]);
});
