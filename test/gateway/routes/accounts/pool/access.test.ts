import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONTAINER_ACTS, MAKER_ACTS, RENTAL_ACTS } from "../../../../../schemas/permissions.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { until } from "../../../../harness/until.ts";
import { rented } from "../../market/stock.ts";
import { as, join, makePool } from "./team.ts";

let stack: SharedStack;
let server: string;
let owner: TestUser;
let admin: TestUser;
let user: TestUser;
let stranger: TestUser;
let pool: string;
let rental: { id: string; rental_end: string; server_id: string };
let container: string;
beforeAll(async () => {
  stack = await sharedStack();
  server = await stack.serverName();
  [owner, admin, user, stranger] = [
    await stack.user({ balance: "100.00" }),
    await stack.user({ balance: "100.00" }),
    await stack.user({ balance: "100.00" }),
    await stack.user({ balance: "100.00" }),
  ];
  pool = await makePool(stack, owner, "team");
  await join(stack, owner, pool, admin, "admin");
  await join(stack, owner, pool, user, "user");
  const made = await rented(stack, owner, server);
  // Into the team's pool instead of the owner's default pool.
  rental = made.rental;
  await stack.db`UPDATE rentals SET pool_id = ${pool} WHERE id = ${rental.id}`;
  container = await makeContainer(owner, "web");
});
afterAll(() => stack.stop());

async function makeContainer(person: TestUser, name: string) {
  const call = as(stack, person);
  const project = await call("POST", "/projects", { name: `of-${name}` });
  const { body } = await call("POST", "/containers", {
    project_id: project.body.data.id,
    server_id: rental.server_id,
    name,
  });
  return body.data?.id ?? body.code;
}

/** One request for each act of the table. */
type Asked = [method: string, path: string, body?: unknown];
const containerRequests: Record<keyof typeof CONTAINER_ACTS, () => Asked | Promise<Asked>> = {
  read: () => ["GET", `/containers/${container}`],
  use: () => ["GET", `/containers/${container}/firewall/rules`],
  operate: () => ["POST", `/containers/${container}/start`],
  firewall: () => ["POST", `/containers/${container}/firewall/reset`],
  expose: () => ["POST", "/proxy/aliases", { container_id: container, program: "http" }],
  delete: async () => ["DELETE", `/containers/${await makeContainer(owner, `gone-${++gone}`)}`],
};
let gone = 0;
const rentalRequests: Record<keyof typeof RENTAL_ACTS, () => Asked> = {
  read: () => ["GET", `/rentals/${rental.id}`],
  extend: () => [
    "POST",
    `/rentals/${rental.id}/extend`,
    { expected_rental_end: "2000-01-01T00:00:00.000Z", additional_days: 7 },
  ],
  end: () => ["POST", `/rentals/${rental.id}/end`, { expected_rental_end: "2000-01-01T00:00:00.000Z" }],
};
const RANKS = ["user", "admin", "owner"];

describe("what a pool's members may do with its servers", () => {
  const rows = [
    ...Object.entries(CONTAINER_ACTS).map(
      ([act, least]) =>
        ["container", act, least, containerRequests[act as keyof typeof CONTAINER_ACTS]] as const,
    ),
    ...Object.entries(RENTAL_ACTS).map(
      ([act, least]) => ["rental", act, least, rentalRequests[act as keyof typeof RENTAL_ACTS]] as const,
    ),
  ].filter(([, act]) => act !== "use");

  test.each(rows)("%s: %s takes at least the role %s", async (_noun, _act, least, request) => {
    for (const [role, person] of [
      ["user", user],
      ["admin", admin],
      ["owner", owner],
    ] as const) {
      const { status, body } = await as(stack, person)(...(await request()));
      const isRefused = status === 403 && body.code === "INSUFFICIENT_PERMISSIONS";
      expect([role, isRefused]).toEqual([role, RANKS.indexOf(role) < RANKS.indexOf(least)]);
      if (!isRefused) expect([200, 201, 409]).toContain(status);
    }
    expect((await as(stack, stranger)(...(await request()))).status).toBe(404);
  });

  test("an admin makes containers there, which the owner sees too; a user does not", async () => {
    const made = await makeContainer(admin, "api");
    expect(made).toMatch(/^[0-9a-f]{24}$/);
    const listed = await as(stack, owner)("GET", "/containers");
    const ids = listed.body.data.containers.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([container, made]));
    expect(await makeContainer(user, "no")).toBe("INSUFFICIENT_PERMISSIONS");
    expect(await makeContainer(stranger, "no")).toBe("SERVER_NOT_FOUND");
  });

  test("aliases are seen by whoever sees their container, and changed by whoever may expose it", async () => {
    const made = await as(stack, admin)("POST", "/proxy/aliases", {
      container_id: container,
      program: "http",
    });
    const { id } = made.body.data;
    const seen = async (person: TestUser) =>
      (await as(stack, person)("GET", "/proxy/aliases")).body.data.aliases.some(
        (one: { id: string }) => one.id === id,
      );
    expect(await Promise.all([owner, admin, user, stranger].map(seen))).toEqual([true, true, true, false]);
    const disable = (person: TestUser) =>
      as(stack, person)("PATCH", `/proxy/aliases/${id}/state`, { enabled: false });
    expect((await disable(user)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
    expect((await disable(stranger)).body.code).toBe("ALIAS_NOT_FOUND");
    expect((await disable(owner)).status).toBe(200);
  });

  test("a removed member still reads and deletes what he made, can do nothing else with it, and reaches nothing else", async () => {
    await as(stack, owner)("DELETE", `/pools/${pool}/members/${admin.id}`);
    const call = as(stack, admin);
    expect((await call("GET", `/containers/${container}`)).status).toBe(404);
    expect((await call("GET", `/rentals/${rental.id}`)).status).toBe(404);
    const { containers } = (await call("GET", "/containers")).body.data;
    expect(containers.map(({ name }: { name: string }) => name)).toEqual(["api"]);
    const { id, project_id } = containers[0];
    const requests: Record<keyof typeof CONTAINER_ACTS, Asked> = {
      read: ["GET", `/containers/${id}`],
      use: ["POST", `/containers/${id}/access`],
      operate: ["POST", `/containers/${id}/restart`],
      firewall: ["POST", `/containers/${id}/firewall/reset`],
      expose: ["POST", "/proxy/aliases", { container_id: id, program: "http" }],
      delete: ["DELETE", `/containers/${id}`],
    };
    for (const act of Object.keys(CONTAINER_ACTS) as (keyof typeof CONTAINER_ACTS)[]) {
      const { status } = await call(...requests[act]);
      expect([act, status]).toEqual([act, MAKER_ACTS.includes(act) ? 200 : 403]);
    }
    // His project goes as well, although no host has answered yet.
    expect((await call("GET", `/projects/${project_id}`)).status).toBe(200);
    expect((await call("DELETE", `/projects/${project_id}`)).status).toBe(200);
  });

  test("the renter of a server sees and deletes what a removed member left on it", async () => {
    const helper = await stack.user();
    await join(stack, owner, pool, helper, "admin");
    const left = await makeContainer(helper, "left");
    await as(stack, owner)("DELETE", `/pools/${pool}/members/${helper.id}`);
    expect((await as(stack, owner)("GET", `/containers/${left}`)).status).toBe(200);
    expect((await as(stack, owner)("DELETE", `/containers/${left}`)).status).toBe(200);
    const { body } = await as(stack, helper)("GET", "/quotas");
    expect(body.data.quotas).toContainEqual(
      expect.objectContaining({ quota: "containers_per_user", used: 0 }),
    );
  });

  test("the log says who it was, in the words of the one whom it belongs to", async () => {
    const helper = await stack.user();
    await join(stack, owner, pool, helper, "admin");
    await as(stack, helper)("POST", `/containers/${container}/restart`);
    await as(stack, helper)("POST", `/containers/${container}/firewall/ingress`, {
      action: "drop",
      protocol: "tcp",
      description: "by a helper",
      destination_port: "81",
    });
    const { body } = await as(stack, owner)("GET", `/events?container_id=${container}`);
    const ofHelper = body.data.events.filter(({ data }: { data: { by?: string } }) => data.by === helper.id);
    expect(ofHelper.map(({ event_type }: { event_type: string }) => event_type).sort()).toEqual([
      "container.restarting",
      "firewall.attached",
      "firewall.rule_added",
    ]);
  });

  test("one member's keys are no other's", async () => {
    const helper = await stack.user();
    await join(stack, owner, pool, helper, "admin");
    const rule = (port: string) => ({
      action: "drop",
      protocol: "tcp",
      description: "keyed",
      destination_port: port,
    });
    const key = { "idempotency-key": "the same" };
    const path = `/containers/${container}/firewall/ingress`;
    expect((await as(stack, owner)("POST", path, rule("82"), key)).status).toBe(200);
    const other = await as(stack, helper)("POST", path, rule("83"), key);
    expect([other.status, other.body.data.destination_port]).toEqual([200, "83"]);
  });

  test("hosts are told when who may enter has changed", async () => {
    const revision = async () => {
      const [row] = await stack.db<{ desired_revision: bigint; access_revision: bigint }[]>`
        SELECT desired_revision, access_revision FROM containers WHERE id = ${container}`;
      return row;
    };
    const before = await revision();
    const guest = await stack.user();
    await join(stack, owner, pool, guest, "user");
    await until(async () => ((await revision())?.access_revision ?? 0n) > (before?.access_revision ?? 0n));
    expect((await revision())?.desired_revision).toBeGreaterThan(before?.desired_revision ?? 0n);
  });
});

test("whoever may enter a container by a role gets no permission for it, which would outlive the role", async () => {
  const leaver = await stack.user();
  await join(stack, owner, pool, leaver, "admin");
  const grant = (by: TestUser, { username }: TestUser) =>
    as(stack, by)("POST", `/containers/${container}/permissions`, { username });
  for (const whom of [leaver, user, owner]) {
    const { status, body } = await grant(leaver, whom);
    expect([status, body.code, body.data.field]).toEqual([409, "CONTAINER_ROLE_EXISTS", "body.username"]);
  }
  expect((await as(stack, owner)("DELETE", `/pools/${pool}/members/${leaver.id}`)).status).toBe(200);
  expect((await as(stack, leaver)("POST", `/containers/${container}/access`)).status).toBe(404);
  // Without the role, whoever still may can let them in again.
  expect((await grant(owner, leaver)).status).toBe(201);
});
