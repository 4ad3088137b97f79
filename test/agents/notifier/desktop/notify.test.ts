import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hostSpawner, type Spawner } from "../../../../agents/notifier/desktop/spawner.ts";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";
import { startDesktop } from "./desktop.ts";

const NEEDED = ["Xvfb", "dbus-daemon", "dbus-send", "dunst", "notify-send"] as const;
/** Where the machine has none, dbus-launch does not note anything. */
const MACHINE_ID =
  ["/etc/machine-id", "/var/lib/dbus/machine-id"]
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8").trim() : ""))
    .find((id) => id !== "") ?? "";
/** Dunst does not say how urgent a notice was, but shows each kind as it is told. */
const CONFIG = `[global]
markup = full
[urgency_low]
format = "low <b>%s</b>\\n%b"
[urgency_critical]
format = "critical <b>%s</b>\\n%b"
`;
/** The smallest PNG: one point. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(lacks(...NEEDED))("on a real desktop", () => {
  let desktop: Awaited<ReturnType<typeof startDesktop>>;
  let service: ReturnType<typeof startService>;
  beforeAll(async () => {
    desktop = await startDesktop({ config: CONFIG });
    const runtime = temporaryFolder();
    const spawner: Spawner = {
      spawn: (request) =>
        hostSpawner.spawn({ ...request, env: { XDG_RUNTIME_DIR: runtime, ...request.env } }),
    };
    service = startService({ spawner, buses: new Map() });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await desktop[Symbol.asyncDispose]();
  });
  const notify = (notice: object) => service.notify({ display: desktop.name, ...notice });

  test("a notice is shown by dunst, whose bus was found by its own process", async () => {
    const record = await notify({ title: "Backup", body: "done", urgency: "critical", timeout: 4_000 });
    expect(record).toMatchObject({ display: desktop.name, urgency: "critical", timeout: 4_000, error: null });
    expect(record.dismissed).toBe(false);
    expect(desktop.seen()[0]).toMatchObject({
      ...{ summary: "Backup", body: "done", text: "critical Backup\ndone", timeout: "4000000" },
    });
  });

  test.each([
    String.raw`a\nb \\ c:\new\101 \t end\\`,
    "<b>bold</b> <i>x <img src='/etc/passwd'/> & &amp; &lt; &#38;",
    "two\nlines and a\ttab",
    "--help %s $HOME `id` 'q' \"qq\" ünïcode 🎉",
    "-n",
    "",
  ])("a body is shown as it was written: %j", async (body) => {
    await notify({ title: "verbatim", body });
    expect(desktop.seen()[0]?.text).toBe(body === "" ? "verbatim" : `verbatim\n${body}`);
  });

  test.each([String.raw`\n <b>t</b> &amp; %s`, "--urgency=low", "ä 🎉"])(
    "a title is shown as it was written: %j",
    async (title) => {
      await notify({ title, body: "" });
      expect(desktop.seen()[0]).toMatchObject({ summary: title, text: title });
    },
  );

  test("`:N` and `N` are one display, with one history", async () => {
    await notify({ title: "with a colon" });
    await notify({ display: String(desktop.display), title: "without" });
    const titles = async (path: string) =>
      (await service.history(path)).notifications.slice(0, 2).map(({ title }) => title);
    for (const path of [String(desktop.display), desktop.name, `%3A${desktop.display}`]) {
      expect(await titles(path)).toEqual(["without", "with a colon"]);
    }
  });

  test("an icon reaches the desktop by upload, by path and by name, and clients by its id", async () => {
    const bytes = Buffer.from(PNG, "base64");
    const path = join(temporaryFolder(), "icon with space.png");
    await Bun.write(path, bytes);
    for (const icon of [`data:image/png;base64,${PNG}`, path]) {
      const { icon_id } = await notify({ title: "icon", icon });
      const shown = desktop.seen()[0]?.icon_path ?? "";
      expect(await Bun.file(shown).bytes()).toEqual(new Uint8Array(bytes));
      const fetched = await service.call(`icons/${icon_id}`);
      expect(fetched.headers.get("content-type")).toBe("image/png");
      expect(await fetched.bytes()).toEqual(new Uint8Array(bytes));
    }
    const named = await notify({ title: "named", icon: "no-such-icon-anywhere" });
    expect(named.icon_id).toBeNull();
    expect(desktop.seen()[0]).toMatchObject({ summary: "named" });
  });

  test("an action that somebody chooses is in the record", async () => {
    const record = await notify({
      title: "Restart?",
      actions: [{ name: "default", label: "Restart = now" }],
    });
    expect(record.actions).toEqual([{ name: "default", label: "Restart = now" }]);
    expect(record.action).toBeNull();
    desktop.choose();
    await until(async () => (await service.history(desktop.name)).notifications[0]?.action === "default");
  });

  test("a display without a session bus is an honest failure, and the history says so", async () => {
    const answer = await service.call("notify", { json: { display: ":59000", title: "t", body: "b" } });
    expect(answer.status).toBe(502);
    const details = expect.stringContaining(
      "display :59000 has no session bus: no desktop of this user runs on it. Start ",
    );
    expect(await answer.json()).toEqual({ success: false, error: "NOTIFY_FAILED", details });
    expect((await service.history(":59000")).notifications).toMatchObject([{ title: "t", error: details }]);
  });
});

describe.skipIf(lacks(...NEEDED))("how a display finds its session bus", () => {
  const title = "found";

  test("two desktops of one user get each their own notices", async () => {
    await using one = await startDesktop();
    await using other = await startDesktop();
    await using service = startService({ spawner: hostSpawner, buses: new Map() });
    await service.notify({ display: one.name, title: "to one" });
    await service.notify({ display: other.name, title: "to other" });
    expect(one.seen().map(({ summary }) => summary)).toEqual(["to one"]);
    expect(other.seen().map(({ summary }) => summary)).toEqual(["to other"]);
  });

  test("the operator's setting goes first", async () => {
    await using set = await startDesktop();
    await using found = await startDesktop();
    const buses = new Map([[found.display, set.address]]);
    await using service = startService({ spawner: hostSpawner, buses });
    await service.notify({ display: found.name, title });
    expect([set.seen().length, found.seen().length]).toEqual([1, 0]);
  });

  test("a bus on which no daemon answers is passed over for one where it does", async () => {
    await using empty = await startDesktop({ daemon: false });
    await using desktop = await startDesktop({ daemon: false });
    // The oldest program of the display is on another bus.
    empty.start(["sleep", "1000"], { ...empty.env, DISPLAY: desktop.name });
    await using service = startService({ spawner: hostSpawner, buses: new Map() });
    const failed = await service.call("notify", { json: { display: desktop.name, title, body: "" } });
    expect(failed.status).toBe(502);
    expect(await failed.text()).toContain("no notification daemon answers");
    await desktop.startDaemon();
    await service.notify({ display: desktop.name, title });
    expect(desktop.seen()).toMatchObject([{ summary: title }]);
  });

  test.skipIf(MACHINE_ID === "")("what dbus-launch noted for the display is enough", async () => {
    await using desktop = await startDesktop({ daemon: false });
    // Its daemon speaks to the display, and says so to nobody.
    await desktop.startDaemon({ DISPLAY: `:0${desktop.display}` });
    const home = temporaryFolder();
    const spawner: Spawner = {
      spawn: (request) => hostSpawner.spawn({ ...request, env: { HOME: home, ...request.env } }),
    };
    await using service = startService({ spawner, buses: new Map() });
    const json = { display: desktop.name, title, body: "" };
    expect((await service.call("notify", { json })).status).toBe(502);
    const note = join(home, ".dbus", "session-bus", `${MACHINE_ID}-${desktop.display}`);
    await Bun.write(note, `DBUS_SESSION_BUS_ADDRESS='${desktop.address}'\nDBUS_SESSION_BUS_PID=1\n`);
    await service.notify(json);
    expect(desktop.seen()).toMatchObject([{ summary: title }]);
  });

  test("where the daemon reads no markup, a body is not escaped for it", async () => {
    await using desktop = await startDesktop({ config: "[global]\nmarkup = no\n" });
    await using service = startService({ spawner: hostSpawner, buses: new Map() });
    await service.notify({ display: desktop.name, title, body: "<b> & \\n" });
    expect(desktop.seen()[0]?.body).toBe("<b> & \\n");
  });
});
