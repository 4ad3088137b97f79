import { expect, test } from "bun:test";
import { connect } from "node:net";
import { STREAMS_PER_CLIENT_MAX } from "../../../agents/notifier/limits.ts";
import { until } from "../../harness/until.ts";
import { follow } from "./event-stream.ts";
import { PREFIX, startService } from "./service.ts";

test("a stream tells what happens on its display, and nothing of any other", async () => {
  await using service = startService();
  const url = `${service.origin}${PREFIX}stream?display=`;
  await using one = await follow(`${url}1`);
  await using two = await follow(`${url}:2`);
  expect(one.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const secret = await service.notify({ display: ":2", title: "for two" });
  const record = await service.notify({ display: "1", title: "for one" });
  const json = { display: "1", id: record.id };
  await service.call("dismiss", { json });
  await service.call("dismiss", { json });
  await service.call("dismiss", { json, method: "DELETE" });
  const events = await one.events(3);
  expect(events.map(({ event, data }) => [event, data.dismissed])).toEqual([
    ["notification", false],
    ["dismissed", true],
    ["undismissed", false],
  ]);
  expect(events[0]?.data).toEqual({ ...record });
  const ids = events.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect((await two.events(1)).map(({ data }) => data.id)).toEqual([secret.id]);
  expect(one.text()).not.toContain("for two");
  expect(two.text()).not.toContain("for one");
});

test("a notice that failed is told as one that failed", async () => {
  await using service = startService({ buses: new Map() });
  await using stream = await follow(`${service.origin}${PREFIX}stream?display=58999`);
  expect((await service.call("notify", { json: { display: ":58999", title: "t", body: "" } })).status).toBe(
    502,
  );
  expect(await stream.events(1)).toMatchObject([
    { event: "notification", data: { error: expect.stringContaining("display :58999 has no session bus") } },
  ]);
});

test("who comes back with Last-Event-ID gets what it missed, once and in order", async () => {
  await using service = startService();
  const url = `${service.origin}${PREFIX}stream?display=1`;
  const first = await follow(url);
  await service.notify({ title: "0" });
  const [seen] = await first.events(1);
  await first[Symbol.asyncDispose]();
  for (const title of ["1", "2"]) await service.notify({ title });
  await service.notify({ title: "other", display: "2" });
  const id = seen?.id ?? "";
  await using again = await follow(url, { "last-event-id": id });
  await using byQuery = await follow(`${url}&last_event_id=${id}`);
  await service.notify({ title: "3" });
  for (const stream of [again, byQuery]) {
    expect((await stream.events(3)).map(({ data }) => data.title)).toEqual(["1", "2", "3"]);
  }
});

test("the numbers of updates go on after a restart, and so does a stream", async () => {
  const before = startService();
  const { folder } = before;
  const stream = await follow(`${before.origin}${PREFIX}stream?display=1`);
  await before.notify({ title: "before" });
  const id = (await stream.events(1))[0]?.id ?? "";
  await before[Symbol.asyncDispose]();
  await until(() => stream.ended());
  expect(stream.ended()).toBe("cleanly");
  await using after = startService({ folder });
  await after.notify({ title: "after" });
  await using again = await follow(`${after.origin}${PREFIX}stream?display=1`, { "last-event-id": id });
  expect((await again.events(1)).map(({ data }) => data.title)).toEqual(["after"]);
});

test.each(["999999", "nonsense", "-1"])(
  "what cannot be resumed from (%s) is said to be lost, and the stream goes on",
  async (lastEventId) => {
    await using service = startService();
    await service.notify();
    await using stream = await follow(`${service.origin}${PREFIX}stream?display=1`, {
      "last-event-id": lastEventId,
    });
    await service.notify({ title: "next" });
    const events = await stream.events(2);
    expect(events.map(({ event }) => event)).toEqual(["reset", "notification"]);
    expect(Number(events[1]?.id)).toBeGreaterThan(Number(events[0]?.id));
  },
);

test("a gap that reaches behind what is kept is said to be lost", async () => {
  await using service = startService({ bounds: { updates: 3 } });
  for (const title of ["1", "2", "3", "4", "5"]) await service.notify({ title });
  const open = (id: string) => follow(`${service.origin}${PREFIX}stream?display=1`, { "last-event-id": id });
  await using lost = await open("1");
  expect((await lost.events(1)).map(({ event }) => event)).toEqual(["reset"]);
  await using resumed = await open("2");
  expect((await resumed.events(3)).map(({ data }) => data.title)).toEqual(["3", "4", "5"]);
});

test("a silent stream is kept alive", async () => {
  await using service = startService({ keepaliveMs: 20 });
  await using stream = await follow(`${service.origin}${PREFIX}stream?display=1`);
  await until(() => stream.text().includes(": keepalive\n\n: keepalive\n\n"));
  expect(stream.frames()).toEqual([]);
});

test("a client that does not read is cut off, and the others are not", async () => {
  await using service = startService();
  await using reader = await follow(`${service.origin}${PREFIX}stream?display=1`);
  const { port, hostname } = new URL(service.origin);
  const deaf = connect(Number(port), hostname);
  deaf.on("error", () => {});
  deaf.write(`GET ${PREFIX}stream?display=1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  const streams = async () =>
    /notifier_streams (\d+)/.exec(await (await service.call("metrics")).text())?.[1];
  await until(async () => (await streams()) === "2");
  deaf.pause();
  // As JSON, each is six bytes.
  const body = "\u0001".repeat(4_000);
  let sent = 0;
  // The network holds some mebibytes.
  while ((await streams()) === "2" && sent < 4_000) {
    await Promise.all(Array.from({ length: 8 }, () => service.notify({ body })));
    sent += 8;
  }
  expect(await streams()).toBe("1");
  expect((await reader.events(sent)).length).toBe(sent);
  deaf.destroy();
});

test("a client that leaves frees its place, and one client does not take all of them", async () => {
  await using service = startService({ client: "one" });
  const url = `${service.origin}${PREFIX}stream?display=1`;
  const open = await Promise.all(Array.from({ length: STREAMS_PER_CLIENT_MAX }, () => follow(url)));
  const refused = await fetch(url);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
  await open[0]?.[Symbol.asyncDispose]();
  await until(
    async () => {
      await using stream = await follow(url);
      return stream.response.status === 200;
    },
    { everyMs: 100 },
  );
  for (const stream of open) await stream[Symbol.asyncDispose]();
});
