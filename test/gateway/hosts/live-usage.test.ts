import { expect, test } from "bun:test";
import { liveUsage } from "../../../gateway/hosts/live-usage.ts";
import { DomainError } from "../../../schemas/errors.ts";
import type { HostUsage } from "../../../schemas/hosting/usage.ts";

const space = { total_bytes: 10, used_bytes: 4, available_bytes: 6, usage_percent: 40 };
const reading: HostUsage = {
  measured_at: "2026-01-31T09:30:00.000Z",
  uptime_seconds: 1,
  cpu: { cores: 2, usage_percent: 50, load_average: [1, 1, 1] },
  memory: space,
  disk: space,
  containers: [],
};

const code = (error: unknown) => (error instanceof DomainError ? error.code : error);

test("however many ask, a host is asked once in two seconds", async () => {
  let asked = 0;
  let now = 0;
  const usage = liveUsage(
    async () => {
      asked += 1;
      return JSON.stringify(reading);
    },
    () => now,
  );
  await Promise.all(Array.from({ length: 50 }, () => usage("node-1")));
  expect(asked).toBe(1);
  now = 1_999;
  await usage("node-1");
  expect(asked).toBe(1);
  now = 2_001;
  expect(await usage("node-1")).toEqual(reading);
  expect(asked).toBe(2);
  await usage("node-2");
  expect(asked).toBe(3);
});

test("a host that is silent, or says what no agent says, is told of and asked again", async () => {
  const answers = [undefined, "no JSON", "{}", JSON.stringify(reading)];
  const usage = liveUsage(async () => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error("timeout");
    return answer;
  });
  for (let i = 0; i < 3; i++) expect(await usage("node-1").catch(code)).toBe("HOST_SILENT");
  expect(await usage("node-1")).toEqual(reading);
});

test("nothing of a host's answer goes out but the reading", async () => {
  const usage = liveUsage(async () => JSON.stringify({ ...reading, rental_id: "another", secret: 1 }));
  expect(await usage("node-1")).toEqual(reading);
});

test("an answer that is no usage is counted, and one that does not come is not", async () => {
  const dropped: string[] = [];
  const answers = ["garbage", "x".repeat(2_000_000), undefined];
  const usage = liveUsage(
    async () => answers.shift() ?? Promise.reject(new Error("no answer")),
    undefined,
    (kind, reason) => dropped.push(`${kind}: ${reason}`),
  );
  for (let n = 0; n < 3; n++) expect(await usage("node-1").catch(code)).toBe("HOST_SILENT");
  expect(dropped).toEqual([
    "host-usage: the reply of node-1 is not JSON",
    "host-usage: the reply of node-1 is longer than 1000000 characters",
  ]);
});
