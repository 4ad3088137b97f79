import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../../../actors/platform/ids.ts";
import { type SharedStack, sharedStack, type TestUser } from "../../../../harness/shared-stack.ts";
import { asker, chunk, fetchIcon, inCatalogue, png, putIcon } from "./catalogue.ts";

let stack: SharedStack;
let user: TestUser;
let admin: TestUser;
beforeAll(async () => {
  stack = await sharedStack();
  user = await stack.user();
  admin = await stack.user({ role: "admin" });
});
afterAll(() => stack.stop());

test("an icon is served as it was put, and again when another one is put", async () => {
  const id = await inCatalogue(stack);
  for (const picture of [png(64, 64, 1), png(32, 32, 2)]) {
    expect((await putIcon(stack, admin.token, id, new Uint8Array(picture))).status).toBe(200);
    const { status, headers, bytes } = await fetchIcon(stack, user, id);
    expect(status).toBe(200);
    expect(bytes.equals(picture)).toBe(true);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-length": String(picture.length),
      "cache-control": "private, max-age=60",
      "x-content-type-options": "nosniff",
    });
  }
});

test("who has the icon already is told so, by its tag or its date, and who has another one gets it", async () => {
  const id = await inCatalogue(stack);
  const missing = await fetchIcon(stack, user, id);
  await putIcon(stack, admin.token, id, new Uint8Array(png(8, 8)));
  const { headers } = await fetchIcon(stack, user, id);
  const { etag = "", "last-modified": date = "" } = headers as Record<string, string>;
  for (const known of [
    { "if-none-match": etag },
    { "if-none-match": `W/${etag}` },
    { "if-none-match": `"other", ${etag}` },
    { "if-none-match": "*" },
    { "if-modified-since": date },
    { "if-none-match": etag, "if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT" },
  ]) {
    const answer = await fetchIcon(stack, user, id, known);
    expect([known, answer.status, answer.bytes.length]).toEqual([known, 304, 0]);
    expect(answer.headers).toMatchObject({ etag, "cache-control": "private, max-age=60" });
  }
  const old = missing.headers as Record<string, string>;
  for (const outdated of [
    { "if-none-match": '"other"' },
    { "if-none-match": old.etag ?? "" },
    { "if-modified-since": old["last-modified"] ?? "" },
    { "if-none-match": '"other"', "if-modified-since": date },
    { "if-modified-since": "yesterday" },
  ]) {
    expect([outdated, (await fetchIcon(stack, user, id, outdated)).status]).toEqual([outdated, 200]);
  }
  // The image leaves the catalogue: the placeholder takes the place of the icon, though it is older.
  await stack.actors.image(id).update({ public: false });
  expect((await fetchIcon(stack, user, id, { "if-modified-since": date })).status).toBe(200);
});

test("an image that is private, deleted, nowhere or without an icon has one placeholder, byte for byte and header for header", async () => {
  const [bare, hidden, gone] = [
    await inCatalogue(stack),
    await inCatalogue(stack, { public: false }),
    await inCatalogue(stack),
  ];
  for (const id of [hidden, gone])
    expect((await putIcon(stack, admin.token, id, new Uint8Array(png(16, 16, 9)))).status).toBe(200);
  await stack.actors.image(gone).delete({});
  const { headers, bytes, status } = await fetchIcon(stack, user, newId());
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("image/png");
  const tag = (headers as Record<string, string>).etag ?? "";
  for (const id of [bare, hidden, gone]) {
    const answer = await fetchIcon(stack, user, id);
    // What is left of the request limit differs from request to request.
    expect([id, { ...answer.headers, ratelimit: "" }]).toEqual([id, { ...headers, ratelimit: "" }]);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect((await fetchIcon(stack, user, id, { "if-none-match": tag })).status).toBe(304);
  }
});

test("an id of another form is 422, in the envelope", async () => {
  const ask = asker(stack, user);
  for (const id of [
    "x",
    "0".repeat(23),
    "0".repeat(25),
    "A".repeat(24),
    "g".repeat(24),
    "%0a",
    `${"0".repeat(24)}%0a`,
  ]) {
    const { status, body } = await ask("GET", `${id}/icon`);
    expect([id, status, body.code, body.error]).toEqual([
      id,
      422,
      "INVALID_IMAGE_ID",
      "Unprocessable Entity",
    ]);
    expect(body.data.field).toBe("path.id");
  }
});

test("what is no PNG is not put in place of an icon, and is never served as one", async () => {
  const id = await inCatalogue(stack);
  const good = png(8, 8);
  await putIcon(stack, admin.token, id, new Uint8Array(good));
  for (const bytes of [Buffer.from("GIF89a"), good.subarray(0, 40), png(513, 1)]) {
    const { status, body } = await putIcon(stack, admin.token, id, new Uint8Array(bytes));
    expect([status, body.code, body.message]).toEqual([400, "INVALID_ICON_FORMAT", "Invalid icon format"]);
  }
  const none = await stack.call("PUT", `/api/v1/admin/images/${id}/icon`, { token: admin.token });
  expect([none.status, none.body.message]).toEqual([400, "Invalid icon format"]);
  expect((await putIcon(stack, admin.token, id, new Uint8Array(256 * 1024 + 1))).status).toBe(413);
  expect((await fetchIcon(stack, user, id)).bytes.equals(good)).toBe(true);

  await stack.db`UPDATE image_icons SET png = ${Buffer.from("<svg/>")} WHERE image_id = ${id}`;
  const { status, body } = await asker(stack, user)("GET", `${id}/icon`);
  expect([status, body.message]).toEqual([400, "Invalid icon format"]);
});

test("an icon of the largest size arrives whole", async () => {
  const id = await inCatalogue(stack);
  const noise = crypto.getRandomValues(new Uint8Array(64 * 1024));
  const words = Buffer.concat([Buffer.from("Comment\0"), noise, noise, noise, noise.subarray(0, 60 * 1024)]);
  const plain = png(16, 16);
  const picture = Buffer.concat([plain.subarray(0, 33), chunk("iTXt", words), plain.subarray(33)]);
  expect((await putIcon(stack, admin.token, id, new Uint8Array(picture))).status).toBe(200);
  expect((await fetchIcon(stack, user, id)).bytes.equals(picture)).toBe(true);
});

test("only an administrator puts icons, and only where there is an image", async () => {
  const id = await inCatalogue(stack);
  expect((await putIcon(stack, user.token, id, new Uint8Array(png(1, 1)))).status).toBe(403);
  expect((await putIcon(stack, admin.token, newId(), new Uint8Array(png(1, 1)))).status).toBe(404);
  await stack.actors.image(id).delete({});
  expect((await putIcon(stack, admin.token, id, new Uint8Array(png(1, 1)))).status).toBe(404);
});
