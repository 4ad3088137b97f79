import { expect, test } from "bun:test";
import { retryingFetch } from "../../client/retrying-fetch.ts";

interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
}

/** A server that answers in turn, and what it was asked. */
function answering(...answers: readonly Answer[]) {
  const asked: { key: string | null; body: string; atMs: number }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      asked.push({ key: request.headers.get("idempotency-key"), body, atMs: performance.now() });
      const { status, retryAfter } = answers[Math.min(asked.length, answers.length) - 1] ?? { status: 500 };
      return new Response("", {
        status,
        headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
      });
    },
  });
  const send = (method: string, options: Parameters<typeof retryingFetch>[0] = {}) => {
    const body = method === "GET" ? {} : { body: "once" };
    return retryingFetch(options)(new Request(server.url.href, { method, ...body }));
  };
  return { asked, send, [Symbol.dispose]: () => void server.stop(true) };
}

test("a change that is sent again has the same key and body each time, and another call has another", async () => {
  using server = answering({ status: 503 }, { status: 201 });
  expect((await server.send("POST")).status).toBe(201);
  expect(server.asked).toHaveLength(2);
  expect(server.asked[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(server.asked[1]).toMatchObject({ key: server.asked[0]?.key ?? "", body: "once" });
  await server.send("POST");
  expect(server.asked.at(-1)?.key).not.toBe(server.asked[0]?.key ?? "");
});

test("a read has no key", async () => {
  using server = answering({ status: 200 });
  await server.send("GET");
  expect(server.asked[0]?.key).toBeNull();
});

test("it waits for as long as Retry-After says", async () => {
  using server = answering({ status: 429, retryAfter: "1" }, { status: 200 });
  await server.send("GET");
  const [first, second] = server.asked;
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
});

test("what would come after the deadline is not waited for: the refusal is returned at once", async () => {
  using server = answering({ status: 503, retryAfter: "60" });
  expect((await server.send("GET", { deadlineMs: 30_000 })).status).toBe(503);
  expect(server.asked).toHaveLength(1);
});

test("a refusal is returned when the attempt after it has no answer in time, with what it said", async () => {
  let asked = 0;
  const late = Promise.withResolvers<Response>();
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => (++asked === 1 ? new Response("not now", { status: 503 }) : late.promise),
  });
  const reply = await retryingFetch({ deadlineMs: 1_000 })(new Request(server.url.href));
  expect([reply.status, await reply.text(), asked]).toEqual([503, "not now", 2]);
  late.resolve(new Response());
});

test("other refusals are final, and attempts have a bound", async () => {
  using refusing = answering({ status: 409 });
  expect((await refusing.send("POST")).status).toBe(409);
  expect(refusing.asked).toHaveLength(1);
  using down = answering({ status: 502 });
  expect((await down.send("GET", { attemptsMax: 3 })).status).toBe(502);
  expect(down.asked).toHaveLength(3);
});
