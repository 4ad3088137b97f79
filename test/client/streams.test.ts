import { expect, test } from "bun:test";
import { createClient, download, upload } from "../../client/index.ts";

/** A server that ends each connection after one event, and remembers where clients go on. */
function breaking(frame: (number: number) => string) {
  const resumed: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      resumed.push(request.headers.get("last-event-id"));
      return new Response(frame(resumed.length), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { url: server.url.href, resumed, [Symbol.dispose]: () => void server.stop(true) };
}

test("events go on behind the last one after each broken connection", async () => {
  using server = breaking(
    (number) => `: hello\n\nid: e${number}\nevent: project.created\ndata: {"n":${number}}\n\nid: torn\nda`,
  );
  const stop = new AbortController();
  const states: string[] = [];
  const seen: string[] = [];
  for await (const { data } of createClient({ url: server.url }).events(stop.signal, (state) =>
    states.push(state),
  )) {
    seen.push(data);
    if (seen.length === 3) stop.abort();
  }
  expect(seen).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  expect(server.resumed).toEqual([null, "e1", "e2"]);
  expect(states.slice(0, 4)).toEqual(["open", "broken", "open", "broken"]);
});

test("a log goes on behind the last line, and says where lines were lost", async () => {
  const line = (number: number) => `id: 1.${number}\nevent: line\ndata: {"text":"${number}"}\n\n`;
  using server = breaking((number) => `${number === 2 ? "event: dropped\ndata: {}\n\n" : ""}${line(number)}`);
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  for await (const one of createClient({ url: server.url }).logs("c", stop.signal, { tail: "1" })) {
    seen.push(one?.text ?? null);
    if (seen.length === 3) stop.abort();
  }
  expect(seen).toEqual(["1", null, "2"]);
  expect(server.resumed).toEqual([null, "1.1"]);
});

test("bytes are sent and received with progress, and a refusal is an error with its code", async () => {
  let stored: Uint8Array<ArrayBufferLike> = new Uint8Array();
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.headers.get("authorization") !== "Bearer t")
        return Response.json({ code: "CONTAINER_TOKEN_REQUIRED", message: "sign in" }, { status: 401 });
      if (request.method === "PUT") stored = await request.bytes();
      return new Response(
        request.method === "PUT" ? "stored" : new Blob([stored as Uint8Array<ArrayBuffer>]),
      );
    },
  });
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  const steps: (number | null)[][] = [];
  const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number | null }) =>
    steps.push([bytes, totalBytes]);
  const body = new Blob([content]).stream() as ReadableStream<Uint8Array>;
  await upload(server.url.href, body, { token: "t", totalBytes: content.length, onProgress });
  expect(stored).toEqual(content);
  expect(steps.at(-1)).toEqual([60_000, 60_000]);
  const received = await download(server.url.href, { token: "t", onProgress });
  expect(new Uint8Array(await new Response(received.body).arrayBuffer())).toEqual(content);
  expect(steps.at(-1)).toEqual([60_000, 60_000]);
  await expect(download(server.url.href, { token: "wrong" })).rejects.toMatchObject({
    code: "CONTAINER_TOKEN_REQUIRED",
  });
});
