import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Draft, History, HistoryUnavailable } from "../../../../agents/notifier/history/history.ts";
import { SCHEMA } from "../../../../agents/notifier/history/queries.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { startService } from "../service.ts";

const titles = ({ notifications }: { notifications: readonly { title: string }[] }) =>
  notifications.map(({ title }) => title);

test("the history is paged, the newest first, without gaps when more is shown meanwhile", async () => {
  await using service = startService();
  for (const title of ["1", "2", "3", "4", "5"]) await service.notify({ title });
  const first = await service.history(":1?limit=2");
  expect(titles(first)).toEqual(["5", "4"]);
  await service.notify({ title: "6" });
  const second = await service.history(`:1?limit=2&cursor=${first.next_cursor}`);
  expect(titles(second)).toEqual(["3", "2"]);
  const last = await service.history(`:1?limit=2&cursor=${second.next_cursor}`);
  expect([titles(last), last.next_cursor]).toEqual([["1"], null]);
});

test("a display that nothing was shown on has an empty history", async () => {
  await using service = startService();
  expect(await service.history("7")).toEqual({
    display: ":7",
    notifications: [],
    next_cursor: null,
  } as never);
});

test("`since` is an instant, written as ISO 8601 or as milliseconds, and belongs to what it asks for", async () => {
  let now = Date.parse("2026-01-31T09:30:00.000Z");
  await using service = startService({ clock: () => now });
  for (const title of ["1", "2", "3"]) {
    await service.notify({ title });
    now += 1_000;
  }
  expect(titles(await service.history("1?since=2026-01-31T09:30:01Z"))).toEqual(["3", "2"]);
  expect(titles(await service.history("1?since=2026-01-31T10:30:01.001%2B01:00"))).toEqual(["3"]);
  expect(titles(await service.history(`1?since=${now - 2_000}`))).toEqual(["3", "2"]);
  expect(titles(await service.history(`1?since=${now}`))).toEqual([]);
});

test("dismissing is idempotent, is undone, and filters the history", async () => {
  await using service = startService();
  const { id } = await service.notify({ title: "1" });
  await service.notify({ title: "2" });
  const dismiss = async (method: string) => {
    const response = await service.call("dismiss", { json: { display: "1", id }, method });
    return [response.status, ((await response.json()) as { dismissed: boolean }).dismissed];
  };
  expect(await dismiss("POST")).toEqual([200, true]);
  expect(await dismiss("POST")).toEqual([200, true]);
  expect(titles(await service.history("1?dismissed=true"))).toEqual(["1"]);
  expect(titles(await service.history("1?dismissed=false"))).toEqual(["2"]);
  expect(titles(await service.history("1"))).toEqual(["2", "1"]);
  expect(await dismiss("DELETE")).toEqual([200, false]);
  expect(await dismiss("DELETE")).toEqual([200, false]);
  expect(titles(await service.history("1?dismissed=true"))).toEqual([]);
});

test("all of a display are dismissed, and restored, and no other display's", async () => {
  await using service = startService();
  for (const title of ["1", "2"]) await service.notify({ title });
  await service.notify({ title: "elsewhere", display: "2" });
  const all = async (method: string) => {
    const response = await service.call("dismiss", { json: { display: "1", all: true }, method });
    return [response.status, await response.json()];
  };
  expect(await all("POST")).toEqual([200, { display: ":1", changed: 2 }]);
  expect(await all("POST")).toEqual([200, { display: ":1", changed: 0 }]);
  expect(titles(await service.history("1?dismissed=true"))).toEqual(["2", "1"]);
  expect(titles(await service.history("2?dismissed=true"))).toEqual([]);
  expect(await all("DELETE")).toEqual([200, { display: ":1", changed: 2 }]);
});

test("what another display was shown is unknown here", async () => {
  await using service = startService();
  const { id } = await service.notify();
  for (const method of ["POST", "DELETE"]) {
    for (const json of [
      { display: "2", id },
      { display: "1", id: "0".repeat(24) },
    ]) {
      const response = await service.call("dismiss", { json, method });
      expect([response.status, await response.json()]).toEqual([
        404,
        { success: false, error: "NOTIFICATION_NOT_FOUND", details: "this display has no such notification" },
      ]);
    }
  }
  expect((await service.history("1")).notifications[0]?.dismissed).toBe(false);
});

test("a display keeps its newest, and so do all together; icons go with their notices", async () => {
  await using service = startService({ bounds: { perDisplay: 2, notifications: 3 } });
  const icon = `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg'/>")}`;
  const first = await service.notify({ title: "1", icon });
  expect((await service.call(`icons/${first.icon_id}`)).status).toBe(200);
  for (const title of ["2", "3"]) await service.notify({ title });
  expect(titles(await service.history("1"))).toEqual(["3", "2"]);
  expect((await service.call(`icons/${first.icon_id}`)).status).toBe(404);
  for (const title of ["4", "5"]) await service.notify({ title, display: "2" });
  expect(titles(await service.history("1"))).toEqual(["3"]);
});

test("icons take so much of the disk and no more: the oldest go, their notices stay", async () => {
  await using service = startService({ bounds: { iconBytes: 200 } });
  const icon = `data:image/svg+xml;base64,${btoa(`<svg>${" ".repeat(80)}</svg>`)}`;
  const ids = [];
  for (const title of ["1", "2", "3"]) ids.push((await service.notify({ title, icon })).icon_id);
  const statuses = [];
  for (const id of ids) statuses.push((await service.call(`icons/${id}`)).status);
  expect(statuses).toEqual([404, 200, 200]);
  expect(titles(await service.history("1"))).toEqual(["3", "2", "1"]);
});

test("a history of before senders were noted is read as it is, and notes them from then on", async () => {
  const folder = temporaryFolder();
  const older = new Database(join(folder, "notifications.sqlite"));
  older.exec(SCHEMA.replace("source TEXT,", "").replace("user_id TEXT,", ""));
  const id = "a".repeat(24);
  older.run(
    `INSERT INTO notifications (id, display, title, body, urgency, actions, created_at, sending)
     VALUES ('${id}', 1, 'old', '', 'low', '[]', 0, 0)`,
  );
  older.close();
  await using service = startService({ folder });
  await service.notify({ title: "new", source: "backup" });
  const { notifications } = await service.history("1");
  expect(notifications.map(({ title, source }) => [title, source])).toEqual([
    ["new", "backup"],
    ["old", null],
  ]);
});

test("two servers never share one history", async () => {
  await using service = startService();
  expect(() => new History(service.folder)).toThrow(HistoryUnavailable);
});

test("a notice that was on its way when the server died is recorded as one that may not have been shown", () => {
  const folder = temporaryFolder();
  const draft: Draft = {
    ...{ id: "a".repeat(24), display: 1, title: "t", body: "b", urgency: "low", timeout: null },
    ...{ actions: [], createdAt: 0, icon: null, source: null, userId: null },
  };
  const all = { limit: 10, since: null, dismissed: null, before: null };
  const before = new History(folder);
  before.addPending(draft);
  expect(before.list(1, all).records).toEqual([]);
  before.close();
  const after = new History(folder);
  const [record] = after.list(1, all).records;
  expect(record?.error).toStartWith("the server ended while this was on its way");
  expect(after.updatesSince(1, 0)).toMatchObject([{ type: "notification" }]);
  after.close();
});
