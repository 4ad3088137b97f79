import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { inStock, rent } from "../../market/stock.ts";
import { as, join, makePool } from "./team.ts";

let stack: SharedStack;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let stranger: TestUser;
let pool: string;
beforeAll(async () => {
  stack = await sharedStack();
  [owner, admin, member, stranger] = [
    await stack.user({ balance: "100.00" }),
    await stack.user(),
    await stack.user(),
    await stack.user(),
  ];
  pool = await makePool(stack, owner, "team");
  await join(stack, owner, pool, admin, "admin");
  await join(stack, owner, pool, member, "user");
});
afterAll(() => stack.stop());

describe("a pool", () => {
  test("is there for everybody from the start, by default, and stays", async () => {
    const user = await stack.user({ balance: "100.00" });
    const call = as(stack, user);
    const { body } = await call("GET", "/pools");
    expect(body.data).toMatchObject([
      {
        name: "Default",
        owner_id: user.id,
        is_default: true,
        role: "owner",
        member_count: 1,
        server_count: 0,
      },
    ]);
    const refused = async () => (await call("DELETE", `/pools/${body.data[0].id}`)).body.code;
    expect(await refused()).toBe("DEFAULT_POOL");
    const server = await inStock(stack, "pooled-0");
    await rent(stack, user, server, { rental_days: 7, max_charge_cents: 700 });
    expect(await refused()).toBe("DEFAULT_POOL");
  });

  test("is made with what was asked for, and once under a key", async () => {
    const call = as(stack, await stack.user());
    const body = {
      name: "Büro",
      description: "all of us",
      settings: { colour: "red", nested: { deep: [1] } },
    };
    const ask = () => call("POST", "/pools", body, { "idempotency-key": "one" });
    const [first, second] = [await ask(), await ask()];
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({ ...body, is_default: false, role: "owner" });
    expect(second.body.data.id).toBe(first.body.data.id);
    const taken = await call("POST", "/pools", { name: "büro" });
    expect([taken.status, taken.body.code]).toEqual([409, "NAME_TAKEN"]);
  });

  test.each([
    [{}, "body.name"],
    [{ name: "" }, "body.name"],
    [{ name: "x".repeat(101) }, "body.name"],
    [{ name: "x", description: "d".repeat(501) }, "body.description"],
    [{ name: "x", settings: [] }, "body.settings"],
    [{ name: "x", settings: { long: "s".repeat(17_000) } }, "body.settings"],
    [{ name: "x", role: "owner" }, "body.role"],
  ])("made of %j is refused, and the field is named", async (body, field) => {
    const { status, body: answer } = await as(stack, owner)("POST", "/pools", body);
    expect([status, answer.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.message).toContain(field);
  });

  test("takes names and descriptions of the longest allowed length", async () => {
    const { status } = await as(stack, owner)("POST", "/pools", {
      name: "n".repeat(100),
      description: "d".repeat(500),
    });
    expect(status).toBe(201);
  });

  test("shows its members, its servers, and invitations to those who may invite", async () => {
    const server = await inStock(stack, "pooled-1");
    await rent(stack, owner, server, { rental_days: 7, max_charge_cents: 700, pool_id: pool });
    const invited = await stack.user();
    await as(stack, admin)("POST", `/pools/${pool}/members`, { username: invited.username, role: "user" });
    const seen = await as(stack, admin)("GET", `/pools/${pool}`);
    expect(seen.body.data.role).toBe("admin");
    expect(
      seen.body.data.members.map(({ username, role }: Record<string, string>) => [username, role]),
    ).toEqual([
      [owner.username, "owner"],
      [admin.username, "admin"],
      [member.username, "user"],
    ]);
    expect(seen.body.data.servers).toMatchObject([{ server_id: server, server_name: "pooled-1" }]);
    expect(seen.body.data.invitations).toMatchObject([{ username: invited.username }]);
    const less = await as(stack, member)("GET", `/pools/${pool}`);
    expect(less.body.data.invitations).toEqual([]);
    const listed = await as(stack, member)("GET", "/pools");
    expect(listed.body.data.map(({ name }: { name: string }) => name)).toEqual(["Default", "team"]);
  });

  test("with servers is not deleted, and one without is gone for all of its members", async () => {
    const other = await makePool(stack, owner, "short-lived");
    await join(stack, owner, other, member, "user");
    const full = await as(stack, owner)("DELETE", `/pools/${pool}`);
    expect([full.status, full.body.code]).toEqual([409, "POOL_NOT_EMPTY"]);
    expect((await as(stack, owner)("DELETE", `/pools/${other}`)).status).toBe(200);
    expect((await as(stack, member)("GET", `/pools/${other}`)).status).toBe(404);
    expect((await as(stack, owner)("GET", `/pools/${other}`)).status).toBe(404);
  });

  test("takes a rental only from its owner", async () => {
    const server = await inStock(stack, "pooled-2");
    const rich = await stack.user({ balance: "10.00" });
    await join(stack, owner, pool, rich, "admin");
    const refused = await rent(stack, rich, server, { rental_days: 7, max_charge_cents: 700, pool_id: pool });
    expect([refused.status, refused.body.code]).toEqual([404, "POOL_NOT_FOUND"]);
    await as(stack, owner)("DELETE", `/pools/${pool}/members/${rich.id}`);
  });
});

describe("who may do what with a pool", () => {
  const acts: [string, (id: string) => [string, string, unknown?], readonly string[]][] = [
    ["see it", (id) => ["GET", `/pools/${id}`], ["owner", "admin", "user"]],
    ["change it", (id) => ["PUT", `/pools/${id}`, { description: "new" }], ["owner"]],
    ["change a role", (id) => ["PUT", `/pools/${id}/members/${member.id}`, { role: "user" }], ["owner"]],
  ];
  test.each(acts)("%s", async (_what, request, allowed) => {
    const people = { owner, admin, user: member };
    for (const [role, person] of Object.entries(people)) {
      const { status, body } = await as(stack, person)(...request(pool));
      if (allowed.includes(role)) expect([role, status]).toEqual([role, 200]);
      else expect([role, status, body.code]).toEqual([role, 403, "INSUFFICIENT_PERMISSIONS"]);
    }
    const theirs = await as(stack, stranger)(...request(pool));
    const none = await as(stack, stranger)(...request("0".repeat(24)));
    expect([theirs.status, theirs.body]).toEqual([404, none.body]);
  });

  test("inviting and removing: owner and admins", async () => {
    const guest = await stack.user();
    const invite = (person: TestUser) =>
      as(stack, person)("POST", `/pools/${pool}/members`, { username: guest.username, role: "user" });
    expect((await invite(member)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
    expect((await invite(stranger)).status).toBe(404);
    expect((await invite(admin)).status).toBe(201);
    expect((await invite(owner)).body.code).toBe("ALREADY_INVITED");
    const remove = (person: TestUser) => as(stack, person)("DELETE", `/pools/${pool}/members/${guest.id}`);
    expect((await remove(member)).body.code).toBe("INSUFFICIENT_PERMISSIONS");
    expect((await remove(stranger)).status).toBe(404);
    expect((await remove(admin)).status).toBe(200);
    expect((await as(stack, guest)("GET", "/pools/invitations/pending")).body.data).toEqual([]);
  });

  test("its owner can be neither removed nor made something else", async () => {
    for (const person of [owner, admin]) {
      const removed = await as(stack, person)("DELETE", `/pools/${pool}/members/${owner.id}`);
      expect([removed.status, removed.body.code]).toEqual([409, "POOL_OWNER"]);
    }
    const changed = await as(stack, owner)("PUT", `/pools/${pool}/members/${owner.id}`, { role: "user" });
    expect([changed.status, changed.body.code]).toEqual([409, "POOL_OWNER"]);
  });

  test("a member may go by themselves", async () => {
    const guest = await stack.user();
    await join(stack, owner, pool, guest, "user");
    expect((await as(stack, guest)("DELETE", `/pools/${pool}/members/${guest.id}`)).status).toBe(200);
    expect((await as(stack, guest)("GET", `/pools/${pool}`)).status).toBe(404);
  });

  test("what is asked for a user who is none, or no member, is told", async () => {
    const unknown = await as(stack, owner)("POST", `/pools/${pool}/members`, {
      username: "nobody",
      role: "user",
    });
    expect([unknown.status, unknown.body.code]).toEqual([404, "USER_NOT_FOUND"]);
    const twice = await as(stack, owner)("POST", `/pools/${pool}/members`, {
      username: admin.username.toUpperCase(),
      role: "user",
    });
    expect([twice.status, twice.body.code]).toEqual([409, "ALREADY_MEMBER"]);
    const none = await as(stack, owner)("PUT", `/pools/${pool}/members/${stranger.id}`, { role: "user" });
    expect([none.status, none.body.code]).toEqual([404, "MEMBER_NOT_FOUND"]);
    for (const [body, field] of [
      [{ username: "a b", role: "user" }, "body.username"],
      [{ username: "", role: "user" }, "body.username"],
      [{ username: "a".repeat(101), role: "user" }, "body.username"],
      [{ username: "someone", role: "owner" }, "body.role"],
      [{ username: "someone" }, "body.role"],
    ] as const) {
      const answer = await as(stack, owner)("POST", `/pools/${pool}/members`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(field);
    }
  });
});

describe("an invitation", () => {
  test("is seen by the invited alone, and makes a member once it is accepted", async () => {
    const guest = await stack.user();
    const { body } = await as(stack, owner)("POST", `/pools/${pool}/members`, {
      username: guest.username,
      role: "admin",
    });
    const id: string = body.data.id;
    expect((await as(stack, guest)("GET", "/pools/invitations/pending")).body.data).toMatchObject([
      { id, pool_id: pool, pool_name: "team", role: "admin", invited_by: owner.username, status: "pending" },
    ]);
    expect((await as(stack, guest)("GET", `/pools/${pool}`)).status).toBe(404);
    for (const person of [owner, admin, stranger]) {
      for (const how of ["accept", "reject"]) {
        const answer = await as(stack, person)("POST", `/pools/${id}/${how}`);
        expect([answer.status, answer.body.code]).toEqual([404, "INVITATION_NOT_FOUND"]);
      }
      const pending = await as(stack, person)("GET", "/pools/invitations/pending");
      expect(pending.body.data).toEqual([]);
    }
    const accepted = await as(stack, guest)("POST", `/pools/${id}/accept`);
    expect([accepted.status, accepted.body.data.status]).toEqual([200, "accepted"]);
    expect((await as(stack, guest)("GET", `/pools/${pool}`)).body.data.role).toBe("admin");
    const again = await as(stack, guest)("POST", `/pools/${id}/accept`);
    expect([again.status, again.body.code]).toEqual([404, "INVITATION_NOT_FOUND"]);
    await as(stack, owner)("DELETE", `/pools/${pool}/members/${guest.id}`);
  });

  test("that is rejected makes none, and can be made again", async () => {
    const guest = await stack.user();
    const invite = () =>
      as(stack, owner)("POST", `/pools/${pool}/members`, { username: guest.username, role: "user" });
    const { body } = await invite();
    const rejected = await as(stack, guest)("POST", `/pools/${body.data.id}/reject`);
    expect([rejected.status, rejected.body.data.status]).toEqual([200, "rejected"]);
    expect((await as(stack, guest)("GET", `/pools/${pool}`)).status).toBe(404);
    expect((await invite()).status).toBe(201);
  });

  test("that is accepted and taken back at the same moment does one of the two", async () => {
    for (let round = 0; round < 5; round++) {
      const guest = await stack.user();
      const { body } = await as(stack, owner)("POST", `/pools/${pool}/members`, {
        username: guest.username,
        role: "user",
      });
      const [accepted] = await Promise.all([
        as(stack, guest)("POST", `/pools/${body.data.id}/accept`),
        as(stack, owner)("DELETE", `/pools/${pool}/members/${guest.id}`),
      ]);
      // Accepted first, the removal took the member away; taken back first, there was nothing to accept.
      expect([200, 404]).toContain(accepted.status);
      expect((await as(stack, guest)("GET", `/pools/${pool}`)).status).toBe(404);
    }
  });
});
