import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { connect, type KV, type NatsConnection } from "nats";
import { openDesiredBucket } from "../../../../actors/hosting/host/buckets.ts";
import { DocumentWriter } from "../../../../actors/hosting/host/document-writer.ts";
import { serversOf } from "../../../../system/nats-url.ts";
import { nats, type TestNats } from "../../../harness/servers.ts";

/** Two actor hosts write what one host should do: each remembers what it wrote last, and the other may have written since. */

const KEY = "firewall.1";
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

const put = (writer: DocumentWriter, revision: number, more: object = {}) =>
  writer.put(name, bucket, KEY, { revision, ...more });
const present = async () => (await bucket.get(KEY))?.json<{ revision: number }>();
/** Counts readings, which the bucket goes on to answer. */
function countReads(): () => number {
  let reads = 0;
  const get = bucket.get.bind(bucket);
  bucket.get = (...asked) => {
    reads += 1;
    return get(...asked);
  };
  return () => reads;
}

test("the next revision is written without reading what is there", async () => {
  const writer = new DocumentWriter();
  const reads = countReads();
  for (let revision = 1; revision <= 5; revision++) await put(writer, revision);
  expect(reads()).toBe(1);
  expect(await present()).toEqual({ revision: 5 });
});

test("a newer document of another writer stays, and an older one is replaced", async () => {
  const [one, other] = [new DocumentWriter(), new DocumentWriter()];
  await put(one, 1);
  await put(other, 3);
  await put(one, 2);
  expect(await present()).toEqual({ revision: 3 });
  await put(one, 4, { by: "one" });
  await put(other, 4, { by: "other" });
  expect(await present()).toEqual({ revision: 4, by: "one" } as { revision: number });
});

test("writers that write at once leave the newest document", async () => {
  const writers = Array.from({ length: 4 }, () => new DocumentWriter());
  await Promise.all(Array.from({ length: 40 }, (_, at) => put(writers[at % 4] as DocumentWriter, at + 1)));
  expect(await present()).toEqual({ revision: 40 });
});

test("a document that is gone from the bucket is written again, also in the revision that is remembered", async () => {
  const writer = new DocumentWriter();
  await put(writer, 1);
  await bucket.purge(KEY);
  await put(writer, 1);
  expect(await present()).toEqual({ revision: 1 });
  await bucket.destroy();
  bucket = await openDesiredBucket(connection.jetstream(), name);
  await put(writer, 2);
  expect(await present()).toEqual({ revision: 2 });
});
