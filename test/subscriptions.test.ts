import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An exception in a callback of the NATS client ends its reading of the connection. So few places subscribe. */

const ROOT = join(import.meta.dir, "..");
const SOURCES = new Bun.Glob("{schemas,system,actors,gateway,agents,scripts}/**/*.ts");
const GUARDED = [
  "actors/runtime/transport/consume.ts",
  "actors/runtime/transport/nats-bus.ts",
  "agents/control-plane/requests.ts",
  "gateway/http/running-requests.ts",
];
const SUBSCRIBES = /\.subscribe\(|\.consume\(/;
/** Of the client's own options; other libraries have callbacks, too. */
const HAS_CALLBACK = /\bcallback:/;

const subscribes = (source: string) =>
  SUBSCRIBES.test(source) || (HAS_CALLBACK.test(source) && source.includes('from "nats"'));

test("every subscription goes through what guards it", () => {
  // What runs in a browser has no connection to NATS.
  const files = [...SOURCES.scanSync({ cwd: ROOT })].filter(
    (file) => !file.startsWith("gateway/console/app/"),
  );
  const found = files.filter((file) => subscribes(readFileSync(join(ROOT, file), "utf8")));
  expect(found.sort()).toEqual(GUARDED.toSorted());
});

test.each([
  "connection.subscribe(SUBJECT)",
  'subscribe(x, { callback: (error) => {} }); import { connect } from "nats"',
  "await consumer.consume()",
])("%s is one", (source) => expect(subscribes(`nats.${source}`)).toBe(true));
