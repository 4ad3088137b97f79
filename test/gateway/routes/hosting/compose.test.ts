import { afterAll, beforeAll, expect, test } from "bun:test";
import { COMPOSE_LENGTH_MAX } from "../../../../schemas/hosting/compose.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../harness/shared-stack.ts";
import { as } from "../accounts/pool/team.ts";

let stack: SharedStack;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
});
afterAll(() => stack.stop());

const read = (file: string, fields: object = {}) =>
  as(stack, user)("POST", "/projects/compose", { file, ...fields });

test("a compose file is read with its variables, and what it leaves out has its standard value", async () => {
  const file = `name: shop
services:
  web:
    image: nginx:$TAG
    depends_on: [db]
    x-berth: { alias: [{ name: shop, port: 80 }], firewall: { ingress: [{ action: allow, protocol: tcp, destination_port: 80 }] } }
  db:
    image: postgres:17
    volumes: ["data:/var/lib"]
    x-berth: { secrets: [PASSWORD] }
volumes: { data: { x-berth: { size: 1G } } }
`;
  const { status, body } = await read(file, { server: "node", variables: { TAG: "1", PASSWORD: "hunter2" } });
  expect([status, body.data.name, body.data.containers.map(({ name }: { name: string }) => name)]).toEqual([
    200,
    "shop",
    ["db", "web"],
  ]);
  const [db, web] = body.data.containers;
  expect(db).toMatchObject({
    server: "node",
    image: "postgres:17",
    env: [{ name: "PASSWORD", value: "hunter2", secret: true }],
    volumes: [{ share: "data", path: "/var/lib", read_only: false }],
    firewall: null,
    settings: { restart_policy: { name: "always", max_retries: null }, stop_grace_seconds: 5 },
  });
  expect(web).toMatchObject({
    image: "nginx:1",
    aliases: [{ name: "shop", program: "http", port: 80, at: { line: 6 } }],
    firewall: [{ direction: "ingress", action: "allow", protocol: "tcp", destination_port: "80" }],
  });
  expect(body.data.shares).toMatchObject([
    { name: "data", server: "node", size_bytes: 2 ** 30, at: { path: "volumes.data", line: 11 } },
  ]);
});

const NAMED = "name: a\nx-berth: { server: node }\n";

test.each([
  ["services: [", "body.file: line 1: Flow sequence"],
  ["- a\n", "body.file: line 1: services are expected"],
  [`${NAMED}services:\n  web:\n    build: .\n`, "line 5: services.web.build: images are not built here"],
  [`${NAMED}services:\n  web:\n    image: $TAG\n`, "line 5: services.web.image: set the variable TAG"],
  [`${NAMED}services:\n  web:\n    image: $constructor\n`, "set the variable constructor"],
  ["name: a\nservices:\n  web: {}\n", "line 3: services.web: name its server"],
  ["x-berth: { server: node }\nservices: { web: { image: a } }\n", "body.project: is required"],
  [`services: ${"[".repeat(20_000)}`, "body.file: "],
  [`a: &a [x,x,x,x]\nb: &b [${"*a,".repeat(90)}]\nc: [${"*b,".repeat(90)}]\n`, "body.file: "],
])("what cannot be read is refused with its line and field: %j", async (file, said) => {
  const { status, body } = await read(file);
  expect([status, body.code, body.message]).toEqual([400, "VALIDATION_ERROR", expect.stringContaining(said)]);
});

test("a file that is too long is refused before it is read, and it takes a credential to have one read", async () => {
  const long = await read("#".repeat(COMPOSE_LENGTH_MAX + 1));
  expect([long.status, long.body.data.field]).toEqual([400, "body.file"]);
  const nobody = await stack.call("POST", "/api/v1/projects/compose", { body: { file: "a: 1" } });
  expect(nobody.status).toBe(401);
});

test("a file of a thousand services is read", async () => {
  const services = Array.from(
    { length: 1_000 },
    (_, n) => `  s${n}: { image: "a:1", labels: { n: "${n}" } }\n`,
  );
  const file = `${NAMED}services:\n${services.join("")}`;
  expect(file.length).toBeLessThan(COMPOSE_LENGTH_MAX);
  const { status, body } = await read(file);
  expect([status, body.data.containers.length]).toEqual([200, 1_000]);
});
