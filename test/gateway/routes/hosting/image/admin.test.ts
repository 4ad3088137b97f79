import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { asker, imageFields } from "./catalogue.ts";

let stack: SharedStack;
let admin: TestUser;
let user: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  admin = await stack.user({ role: "admin" });
  user = await stack.user();
});
afterAll(() => stack.stop());

const call = (method: string, path = "", body?: object, headers = {}) =>
  stack.call(method, `/api/v1/admin/images${path}`, {
    token: admin.token,
    headers,
    ...(body === undefined ? {} : { body }),
  });

const WHOLE = {
  alias: "whole",
  description: "All that an image may have",
  image_name: "debian/13/cloud",
  architecture: "arm64",
  os: "debian",
  release: "13",
  variant: "cloud",
  serial: "20260131_05:24",
  size: 123_456_789,
  price: "12.5",
  tags: ["a", "b c"],
  public: false,
  prespawn: true,
  reference: "docker.io/library/debian:13",
  command: ["/bin/sh", "-c", "echo a\nsleep 1"],
};

describe("an operator", () => {
  test("adds an image, sees it though it is private, publishes it and takes it out again", async () => {
    const added = await call("POST", "", WHOLE);
    expect(added.status).toBe(201);
    const { id, added_date, updated_at } = added.body.data;
    expect(added.body.data).toEqual({
      id,
      ...WHOLE,
      price: 12.5,
      average_rating: 0,
      rating_count: 0,
      icon_url: `/api/v1/images/${id}/icon`,
      prepared: { ready: 0, pulling: 0, error: 0, reason: null },
      added_date,
      updated_at,
    });
    const ask = asker(stack, user);
    expect((await ask("GET", `public/${id}`)).status).toBe(404);
    // Other tests have images in the same catalogue.
    const { body } = await call("GET", "?limit=500");
    expect(body.data.images.map((image: { alias: string }) => image.alias)).toContain("whole");

    const changed = await call("PATCH", `/${id}`, { public: true, price: "0.00", description: "Now free" });
    expect(changed.body.data).toEqual({
      ...added.body.data,
      public: true,
      price: 0,
      description: "Now free",
      updated_at: changed.body.data.updated_at,
    });
    expect((await ask("GET", `public/${id}`)).body.data.serial).toBe(WHOLE.serial);

    expect((await call("DELETE", `/${id}`)).status).toBe(200);
    expect((await ask("GET", `public/${id}`)).status).toBe(404);
    for (const [method, fields] of [
      ["DELETE", undefined],
      ["PATCH", { price: "1" }],
    ] as const)
      expect((await call(method, `/${id}`, fields)).body.code).toBe("IMAGE_NOT_FOUND");
  });

  test("adds an image once under a key, and gives an alias once until its image is gone", async () => {
    const fields = imageFields({ alias: "twice" });
    const key = { "idempotency-key": "add" };
    const answers = await Promise.all(Array.from({ length: 3 }, () => call("POST", "", fields, key)));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const other = await call("POST", "", fields);
    expect([other.status, other.body.code]).toEqual([409, "NAME_TAKEN"]);
    await call("DELETE", `/${answers[0]?.body.data.id}`);
    expect((await call("POST", "", fields)).status).toBe(201);
  });

  test("reads the list page by page", async () => {
    const { body } = await call("GET", "?limit=1&offset=0");
    expect(body.data.images).toHaveLength(1);
    expect(body.data.total).toBeGreaterThanOrEqual(1);
    expect((await call("GET", "?limit=0")).status).toBe(400);
  });

  test.each([
    [{ os: "ubuntu" }, "body.os"],
    [{ release: "12" }, "body.release"],
    [{ architecture: "z80" }, "body.architecture"],
    [{ alias: "" }, "body.alias"],
    [{ alias: "x".repeat(101) }, "body.alias"],
    [{ alias: "a\u0007" }, "body.alias"],
    [{ alias: "a\u202eb" }, "body.alias"],
    [{ description: "a\nb" }, "body.description"],
    [{ description: " " }, "body.description"],
    [{ image_name: "a\tb" }, "body.image_name"],
    [{ variant: "" }, "body.variant"],
    [{ serial: "a\u0085" }, "body.serial"],
    [{ size: -1 }, "body.size"],
    [{ size: 1.5 }, "body.size"],
    [{ size: "1" }, "body.size"],
    [{ price: 5 }, "body.price"],
    [{ price: "-1" }, "body.price"],
    [{ price: "1.001" }, "body.price"],
    [{ tags: ["a", "a"] }, "body.tags"],
    [{ tags: Array.from({ length: 17 }, (_, i) => `t${i}`) }, "body.tags"],
    [{ tags: ["a\u0000"] }, "body.tags.0"],
    [{ tags: ["x".repeat(33)] }, "body.tags.0"],
    [{ command: "sh" }, "body.command"],
    [{ command: [1] }, "body.command.0"],
    [{ public: "yes" }, "body.public"],
    [{ prespawn: 1 }, "body.prespawn"],
    [{ rating: 5 }, "body.rating"],
  ])("is told what is wrong with %j, in a new image and in a change", async (fields, field) => {
    const added = await call("POST", "", { ...imageFields(), ...fields });
    expect([added.status, added.body.data?.field]).toEqual([400, field]);
    const { body } = await call("POST", "", imageFields());
    const changed = await call("PATCH", `/${body.data.id}`, fields);
    expect([changed.status, changed.body.data?.field]).toEqual([400, field]);
  });

  test.each([
    [["a", "a"], "body.tags: must not hold the same entry twice"],
    [Array.from({ length: 17 }, (_, i) => `t${i}`), "body.tags: must have at most 16 entries"],
  ])("is told what is wrong with the tags %j, in words", async (tags, message) => {
    expect((await call("POST", "", { ...imageFields(), tags })).body.message).toBe(message);
  });

  test("keeps ready only an image with a reference, in a new image and after a change", async () => {
    const expectRefused = ({ status, body }: Awaited<ReturnType<typeof call>>) => {
      expect([status, body.data?.field]).toEqual([400, "body.prespawn"]);
      expect(body.message).toContain("needs a reference");
    };
    const ready = { prespawn: true, reference: "docker.io/library/debian:13" };
    expectRefused(await call("POST", "", imageFields({ prespawn: true })));
    expectRefused(await call("POST", "", imageFields({ prespawn: true, reference: "" })));
    const path = `/${(await call("POST", "", imageFields())).body.data.id}`;
    expectRefused(await call("PATCH", path, { prespawn: true }));
    expect((await call("PATCH", path, ready)).status).toBe(200);
    expectRefused(await call("PATCH", path, { reference: "" }));
    const { body } = await call("PATCH", path, { reference: "", prespawn: false });
    expect([body.data.reference, body.data.prespawn]).toEqual(["", false]);
  });

  test("changes something or nothing is asked", async () => {
    const { body } = await call("POST", "", imageFields());
    expect((await call("PATCH", `/${body.data.id}`, {})).status).toBe(400);
    expect((await call("PATCH", `/${newId()}`, { price: "1" })).body.code).toBe("IMAGE_NOT_FOUND");
  });
});

test("who is no administrator sees and changes nothing of it", async () => {
  for (const [method, path] of [
    ["GET", ""],
    ["POST", ""],
    ["PATCH", `/${newId()}`],
    ["DELETE", `/${newId()}`],
    ["PUT", `/${newId()}/icon`],
  ] as const) {
    const { status, body } = await stack.call(method, `/api/v1/admin/images${path}`, { token: user.token });
    expect([method, status, body.code]).toEqual([method, 403, "INSUFFICIENT_PERMISSIONS"]);
  }
});
