import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { escapeBody } from "../../../../agents/notifier/desktop/notify-send.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { scriptedSpawner, startService } from "../service.ts";
import { processesWith } from "./desktop.ts";

const notice = { display: "1", title: "t", body: "b" };
/** Seconds of a sleep that no other process has. */
const mark = () => `${1_000_000 + Math.floor(Math.random() * 1_000_000)}.25`;

describe("a notify-send that does not do what it should", () => {
  test("is killed with all that it started, and the answer and the history say so", async () => {
    const seconds = mark();
    const spawner = scriptedSpawner({ "notify-send": `sleep ${seconds} & sleep ${seconds}` });
    await using service = startService({ spawner, deliveryMsMax: 3_000 });
    const answer = await service.call("notify", { json: notice });
    expect(answer.status).toBe(502);
    const details = "notify-send did not end in time and was killed";
    expect(await answer.json()).toEqual({ success: false, error: "NOTIFY_FAILED", details });
    expect((await service.history()).notifications).toMatchObject([{ title: "t", error: details }]);
    await until(() => processesWith(seconds).length === 0);
  });

  test("is killed too when it has actions to wait for and says nothing", async () => {
    const seconds = mark();
    const script = `[ "$1" = --version ] && echo notify-send 0.8.1 && exit; sleep ${seconds} & sleep ${seconds}`;
    const spawner = scriptedSpawner({ "notify-send": script });
    await using service = startService({ spawner, deliveryMsMax: 3_000 });
    const json = { ...notice, actions: [{ name: "a", label: "A" }] };
    expect((await service.call("notify", { json })).status).toBe(502);
    await until(() => processesWith(seconds).length === 0);
  });

  test.each([
    ["echo no such thing >&2; exit 1", "notify-send: no such thing"],
    ["exit 3", "notify-send: ended with 3"],
    ["kill -9 $$", "notify-send: ended with 137"],
    ["exit 127", "notify-send is not installed"],
  ])("`%s` is a 502: %s", async (script, details) => {
    await using service = startService({ spawner: scriptedSpawner({ "notify-send": script }) });
    const answer = await service.call("notify", { json: notice });
    expect([answer.status, ((await answer.json()) as { details: string }).details]).toEqual([502, details]);
  });

  test("may write what it likes: neither the answer nor the memory grows with it", async () => {
    const spawner = scriptedSpawner({ "notify-send": "head -c 50000000 /dev/zero | tr '\\0' x >&2; exit 1" });
    await using service = startService({ spawner });
    const answer = await service.call("notify", { json: notice });
    expect(answer.status).toBe(502);
    expect((await answer.text()).length).toBeLessThan(500);
  });
});

test("what is on its way when the server stops is killed and recorded as not shown", async () => {
  const seconds = mark();
  const spawner = scriptedSpawner({ "notify-send": `sleep ${seconds}` });
  const service = startService({ spawner });
  const asked = service.call("notify", { json: notice }).catch(() => null);
  await until(() => processesWith(seconds).length > 0);
  await service[Symbol.asyncDispose]();
  await asked;
  await until(() => processesWith(seconds).length === 0);
  await using again = startService({ folder: service.folder });
  const [record] = (await again.history()).notifications;
  expect(record?.error).toBe("notify-send did not end in time and was killed");
});

test("what waits for a choice is ended with the server", async () => {
  const seconds = mark();
  const script = `[ "$1" = --version ] && echo notify-send 0.8.1 && exit; echo 7; sleep ${seconds}`;
  const service = startService({ spawner: scriptedSpawner({ "notify-send": script }) });
  await service.notify({ actions: [{ name: "a", label: "A" }] });
  await until(() => processesWith(seconds).length > 0);
  await service[Symbol.asyncDispose]();
  await until(() => processesWith(seconds).length === 0);
});

test("a notify-send without actions shows the notice without them, and the record says so", async () => {
  const file = join(temporaryFolder(), "argv");
  const script = `[ "$1" = --version ] && echo notify-send 0.7.9 && exit; printf '%s\\n' "$@" >${file}`;
  await using service = startService({ spawner: scriptedSpawner({ "notify-send": script }) });
  const record = await service.notify({ actions: [{ name: "a", label: "A" }], urgency: "low", timeout: 0 });
  expect(record.actions).toEqual([]);
  expect(await Bun.file(file).text()).toBe("--urgency=low\n--app-name=Bun\n--expire-time=0\n--\nt\nb\n");
});

test("more at once than a desktop is asked for is turned away, and nothing is recorded of it", async () => {
  const folder = temporaryFolder();
  const spawner = scriptedSpawner({ "notify-send": `while [ ! -e ${folder}/go ]; do sleep 0.05; done` });
  await using service = startService({ spawner });
  const asked = Array.from({ length: 12 }, () => service.call("notify", { json: notice }));
  const refused = await Promise.any(
    asked.map(async (one) => {
      const response = await one;
      return response.status === 503 ? response : Promise.reject(new Error("not this one"));
    }),
  );
  expect(refused.headers.get("retry-after")).toBe("1");
  await Bun.write(join(folder, "go"), "");
  const statuses = (await Promise.all(asked)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(8).fill(201), ...Array(4).fill(503)]);
  expect((await service.history()).notifications.length).toBe(8);
});

test("where dbus-send is missing the likeliest bus is taken, and markup is escaped", async () => {
  const file = join(temporaryFolder(), "body");
  const scripts = {
    "dbus-send": "exit 127",
    "notify-send": `for last; do :; done; printf %s "$last" >${file}`,
  };
  await using service = startService({ spawner: scriptedSpawner(scripts) });
  await service.notify({ body: "<b>" });
  expect(await Bun.file(file).text()).toBe("&lt;b&gt;");
});

test("nothing of the server's own environment reaches the desktop's programs", async () => {
  const file = join(temporaryFolder(), "env");
  process.env.BERTH_TEST_SECRET = "hunter2";
  try {
    await using service = startService({ spawner: scriptedSpawner({ "notify-send": `env >${file}` }) });
    await service.notify();
    const env = await Bun.file(file).text();
    expect(env).not.toContain("hunter2");
    expect(env).toContain("\nDISPLAY=:1\n");
    expect(env).toContain("DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere\n");
  } finally {
    delete process.env.BERTH_TEST_SECRET;
  }
});

test.each([
  ["a\\nb", true, "a\\\\nb"],
  ["<&>", true, "&lt;&amp;&gt;"],
  ["<&>\\", false, "<&>\\\\"],
])("%j (markup: %p) is given to notify-send as %j", (text, markup, escaped) => {
  expect(escapeBody(text, markup)).toBe(escaped);
});
