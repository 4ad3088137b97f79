import { describe, expect, test } from "bun:test";
import { until } from "../../harness/until.ts";
import { startPipe } from "./pipe-server.ts";
import type { RawClient } from "./raw-client.ts";

const pipe = startPipe({ limits: { progressMs: 20, sweepMs: 20, keepaliveCommentMs: 60, waitMs: 4_000 } });

const watch = async (path: string, lines: readonly string[] = ["Accept: text/event-stream"]) => {
  const watcher = await pipe.request("GET", `${path}?progress`, lines);
  return watcher.sees("event: waiting");
};

/** The events that have come, as name and data. */
const eventsOf = (watcher: RawClient) =>
  [...watcher.text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data ?? ""),
  }));

const last = (watcher: RawClient) => eventsOf(watcher).at(-1);

describe("progress", () => {
  test("tells who has come, what goes through, and that it is complete; no receiver's place is taken", async () => {
    const path = pipe.path();
    const watchers = [await watch(path), await watch(path)];
    const [watcher] = watchers as [RawClient];
    expect(last(watcher)?.data).toEqual({ sender: false, receivers: 0, n: 1 });
    const sender = await pipe.request("POST", path, ["Content-Length: 1000"]);
    await watcher.sees('{"sender":true,"receivers":0,"n":1}');
    const receiver = await pipe.request("GET", path);
    await watcher.sees("event: streaming");
    expect(eventsOf(watcher).find(({ name }) => name === "streaming")?.data).toEqual({
      bytes: 0,
      total: 1000,
      receivers: 1,
    });
    sender.send("x".repeat(400));
    await until(() => last(watcher)?.data.bytes === 400);
    expect(last(watcher)).toEqual({
      name: "progress",
      data: { bytes: 400, total: 1000, receivers: 1, bytes_per_second: expect.any(Number) },
    });
    expect(eventsOf(watcher).some(({ data }) => data.bytes_per_second > 0)).toBe(true);
    sender.send("x".repeat(600));
    expect((await receiver.response()).body.length).toBe(1000);
    for (const one of watchers) {
      expect((await one.response()).isWhole).toBe(true);
      expect(last(one)).toEqual({ name: "complete", data: { bytes: 1000, total: 1000 } });
    }
  });

  test("tells of a failure, and why", async () => {
    const path = pipe.path();
    const watcher = await watch(path);
    const receiver = await pipe.request("GET", path);
    const sender = (await pipe.request("POST", path, ["Transfer-Encoding: chunked"])).send("5\r\nhello\r\n");
    await receiver.sees("hello");
    sender.reset();
    await watcher.response();
    expect(last(watcher)).toEqual({ name: "failed", data: { bytes: 5, reason: "the sender disconnected" } });
  });

  test("has no total where the sender did not tell one, and counts the receivers that are left", async () => {
    const path = pipe.path();
    const watcher = await watch(path);
    const receivers = await Promise.all([1, 2].map(() => pipe.request("GET", `${path}?n=2`)));
    await watcher.sees('"receivers":2,"n":2');
    const sender = await pipe.request("POST", `${path}?n=2`, ["Transfer-Encoding: chunked"]);
    sender.send("5\r\nhello\r\n");
    for (const receiver of receivers) await receiver.sees("hello");
    receivers[0]?.reset();
    await until(() => last(watcher)?.data.receivers === 1);
    expect(last(watcher)?.data.total).toBeUndefined();
    sender.send("0\r\n\r\n");
    await watcher.sees("event: complete");
  });

  test("joins a transfer that is under way", async () => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", path);
    const sender = (await pipe.request("POST", path, ["Content-Length: 10"])).send("hello");
    await receiver.sees("hello");
    const watcher = await (await pipe.request("GET", `${path}?progress=1`)).sees("event: streaming");
    expect(eventsOf(watcher)[0]?.data).toEqual({ bytes: 5, total: 10, receivers: 1 });
    sender.send("world");
    await watcher.sees("event: complete");
  });

  test("says now and then that it is there", async () => {
    const watcher = await watch(pipe.path());
    await watcher.sees(": keepalive\n\n");
    watcher.reset();
  });

  test("ends in good order when nothing comes for the time that peers wait", async () => {
    const { isWhole } = await (await watch(pipe.path())).response();
    expect(isWhole).toBe(true);
    await pipe.isFree();
  });

  test.each([["text/event-stream"], ["*/*"], ["text/html, text/event-stream"], ["application/json"]])(
    "Accept %s gives events",
    async (accept) => {
      const watcher = await watch(pipe.path(), [`Accept: ${accept}`]);
      expect(watcher.text).toContain("Content-Type: text/event-stream");
      watcher.reset();
    },
  );

  test("Accept text/html gives a page, and progress=no a receiver's place", async () => {
    const path = pipe.path();
    const page = await (
      await pipe.request("GET", `${path}?progress=true`, ["Accept: text/html,*/*"])
    ).response();
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    await pipe.isFree();
    const receiver = await pipe.request("GET", `${path}?progress=no`, ["Accept: text/html"]);
    (await pipe.request("POST", path, ["Content-Length: 2"])).send("ok");
    expect((await receiver.response()).body.toString()).toBe("ok");
  });
});

describe("video", () => {
  test("is a page for who wants HTML, and takes no place", async () => {
    const response = await (
      await pipe.request("GET", `${pipe.path()}?video=1`, ["Accept: text/html"])
    ).response();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.body.toString()).toContain("<video");
    expect(response.headers.get("vary")).toContain("Accept");
    await pipe.isFree();
  });

  test.each([
    ["video=true", "*/*"],
    ["video=no", "text/html"],
  ])("?%s with Accept %s is the data", async (query, accept) => {
    const path = pipe.path();
    const receiver = await pipe.request("GET", `${path}?${query}`, [`Accept: ${accept}`]);
    (await pipe.request("POST", path, ["Content-Length: 2"])).send("ok");
    expect((await receiver.response()).body.toString()).toBe("ok");
  });
});
