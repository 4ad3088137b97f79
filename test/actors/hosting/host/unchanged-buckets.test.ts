import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { connect, type KV, type NatsConnection } from "nats";
import { openDesiredBucket } from "../../../../actors/hosting/host/buckets.ts";
import { UnchangedBuckets } from "../../../../actors/hosting/host/unchanged-buckets.ts";
import { entries } from "../../../../actors/platform/kv.ts";
import { desiredBucket } from "../../../../schemas/subjects.ts";
import { serversOf } from "../../../../system/nats-url.ts";
import { nats, type TestNats } from "../../../harness/servers.ts";

/** The comparison of hosts reads a bucket that nobody has changed once. */

let server: TestNats;
let connection: NatsConnection;
let name: string;
let bucket: KV;
beforeAll(async () => {
  server = await nats();
  const { servers, user = "", pass = "" } = serversOf(server.url);
  connection = await connect({ servers, user, pass });
});
beforeEach(async () => {
  name = `node-${randomBytes(4).toString("hex")}`;
  bucket = await openDesiredBucket(connection.jetstream(), name);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

function reader() {
  const buckets = new UnchangedBuckets(connection.jetstream());
  let reads = 0;
  const read = () =>
    buckets.read(desiredBucket(name), "texts", () => {
      reads += 1;
      return entries(bucket, (text) => ({ value: text }));
    });
  return { read: async () => Object.fromEntries(await read()), reads: () => reads };
}

test("a bucket is read again when a key is written, deleted or removed, and not while nobody changes it", async () => {
  const { read, reads } = reader();
  expect(await read()).toEqual({});
  await bucket.put("container.1", "one");
  expect(await read()).toEqual({ "container.1": "one" });
  expect(await read()).toEqual({ "container.1": "one" });
  expect(reads()).toBe(2);
  await bucket.put("container.1", "another");
  expect(await read()).toEqual({ "container.1": "another" });
  await bucket.put("container.2", "two");
  expect(await read()).toEqual({ "container.1": "another", "container.2": "two" });
  await bucket.delete("container.1");
  expect(await read()).toEqual({ "container.2": "two" });
  // Without a tombstone.
  const manager = await connection.jetstreamManager();
  await manager.streams.purge(`KV_${desiredBucket(name)}`, {
    filter: `$KV.${desiredBucket(name)}.container.2`,
  });
  expect(await read()).toEqual({});
  expect(reads()).toBe(6);
});

test("a bucket that was lost and made again is read again", async () => {
  const { read, reads } = reader();
  await bucket.put("container.1", "one");
  expect(await read()).toEqual({ "container.1": "one" });
  const manager = await connection.jetstreamManager();
  await manager.streams.delete(`KV_${desiredBucket(name)}`);
  await expect(read()).rejects.toThrow("stream not found");
  bucket = await openDesiredBucket(connection.jetstream(), name);
  await bucket.put("container.1", "another");
  expect(await read()).toEqual({ "container.1": "another" });
  expect(reads()).toBe(2);
});

test("a large bucket is read each time: what was read of it is not kept", async () => {
  const { read, reads } = reader();
  await bucket.put("container.1", "x".repeat(70_000));
  await read();
  await read();
  expect(reads()).toBe(2);
});
