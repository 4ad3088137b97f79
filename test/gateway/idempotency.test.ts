import { afterAll, beforeAll, expect, test } from "bun:test";
import { startMadeUpApp } from "./http/sample-app.ts";

let app: Awaited<ReturnType<typeof startMadeUpApp>>;
beforeAll(async () => {
  app = await startMadeUpApp();
});
afterAll(() => app.stop());

const built = async (key: string | undefined, extra = "") => {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  const { body } = await app.post("/api/v1/boats", `{"name":"Argo","masts":1${extra}}`, headers);
  return body.data ?? body;
};

test("the header names the operation", async () => {
  expect(await built("key-1")).toMatchObject({ key: "key-1", from_client: true });
});

test("a key in the body wins over the header", async () => {
  expect(await built("key-1", ',"idempotency_key":"key-2"')).toMatchObject({
    key: "key-2",
    from_client: true,
  });
});

test("without a key each request is an operation of its own", async () => {
  const [first, second] = [await built(undefined), await built(undefined)];
  expect(first).toMatchObject({ key: expect.stringMatching(/^[0-9a-f-]{36}$/), from_client: false });
  expect(second.key).not.toBe(first.key);
});

test("a key of white space, of no character or of more than 128 is 400, on every POST", async () => {
  for (const key of ["", "   ", "k".repeat(129)]) {
    for (const path of ["/api/v1/boats/launch", "/wrecks/sign-in"]) {
      const { status, body } = await app.post(path, "{}", { "idempotency-key": key });
      expect(status).toBe(400);
      expect(body.data).toEqual({ field: "headers.idempotency-key" });
    }
  }
  expect(await built("k".repeat(128))).toMatchObject({ from_client: true });
});

test("a body's key is checked by the body's schema", async () => {
  const { status, body } = await app.post("/api/v1/boats", '{"name":"Argo","masts":1,"idempotency_key":" "}');
  expect([status, body.data.field]).toEqual([400, "body.idempotency_key"]);
});
