import { afterAll, beforeAll, expect, test } from "bun:test";
import type { FrameLocator, Page } from "playwright-core";
import { lacks } from "../../agents/requirements.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { openPage } from "../../harness/open-page.ts";
import { until } from "../../harness/until.ts";
import { startRealHost } from "./real-host.ts";
import { axeFindings, goTo, signIn, visit, withoutRefusals } from "./visitor.ts";

/** The console's pages of a container that runs on a real host. */

const missing = lacksChromium() || lacks("root", "nft", "ip", "oci");
let host: Awaited<ReturnType<typeof startRealHost>>;
let page: Page;
let container: string;
beforeAll(async () => {
  if (missing) return;
  host = await startRealHost("oci");
  container = `/containers/${host.containerId}`;
});
afterAll(() => host?.stop());

/** A profile of its own, signed in at this page of the container. */
async function atTab(tab: string): Promise<Page> {
  ({ page } = await visit(`${host.stack.url}${container}/${tab}`));
  await signIn(page, host.ours.user);
  return page;
}

const textOf = (frame: FrameLocator) =>
  frame.locator("body").evaluate(() => {
    const { terminal } = globalThis as unknown as {
      terminal: {
        buffer: {
          active: {
            length: number;
            getLine(y: number): { translateToString(trim: boolean): string } | undefined;
          };
        };
      };
    };
    const { active } = terminal.buffer;
    return Array.from(
      { length: active.length },
      (_, y) => active.getLine(y)?.translateToString(true) ?? "",
    ).join("\n");
  });

/** Types a line into a terminal, and waits for what it prints. */
async function runIn(frame: FrameLocator, line: string, expected: string): Promise<void> {
  await frame.locator("#terminal[data-state=connected]").waitFor();
  await frame.locator("textarea").first().focus();
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
  await until(async () => (await textOf(frame)).includes(expected));
}

test.skipIf(missing)(
  "a terminal runs in the console's page where browsers refuse the cookies of frames, one in each tab, and a reload finds it again",
  async () => {
    await atTab("terminal");
    const frame = page.frameLocator("iframe >> nth=0");
    await runIn(frame, "echo one-$((40 + 2))", "one-42");
    const cookies = await page.context().cookies();
    const [cookie] = cookies.filter(({ name }) => name === "__Host-berth_frame");
    expect(cookie).toMatchObject({ partitionKey: "http://127.0.0.1", httpOnly: true, secure: true });

    await page.getByRole("button", { name: "New terminal" }).click();
    expect(await page.getByRole("tab").count()).toBe(2);
    const second = page.frameLocator('[role="tabpanel"]:not([data-inert]) iframe');
    await runIn(second, "echo two-$((40 + 3))", "two-43");
    expect(await textOf(second)).not.toContain("one-42");
    expect(await axeFindings(page)).toEqual([]);

    await page.reload();
    await until(async () => (await textOf(page.frameLocator("iframe >> nth=0"))).includes("one-42"));
    expect(await page.getByRole("tab").count()).toBe(2);
    await page.getByRole("button", { name: "Close this one" }).click();
    await until(async () => (await page.getByRole("tab").count()) === 1);
  },
);

test.skipIf(missing)(
  "a terminal takes the keyboard when it opens or is chosen, gives it back by Ctrl+F6, and takes it from nobody who went on",
  async () => {
    await atTab("logs");
    await page.getByRole("link", { name: "Terminal", exact: true }).click();
    const shown = '[role="tabpanel"]:not([data-inert]) iframe';
    const hasKeyboard = () =>
      page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(shown)})`);
    const typeIn = async (line: string, expected: string) => {
      await until(hasKeyboard);
      const inside = page.frameLocator(shown).locator("body");
      await until(() => inside.evaluate((body) => body.ownerDocument.activeElement?.tagName === "TEXTAREA"));
      await page.keyboard.type(`${line}\n`);
      await until(async () => (await textOf(page.frameLocator(shown))).includes(expected));
    };
    await typeIn("echo at-$((40 + 4))", "at-44");
    await page.getByRole("button", { name: "New terminal" }).click();
    await until(async () => (await page.getByRole("tab").count()) === 2);
    await typeIn("echo new-$((40 + 5))", "new-45");
    await page.getByRole("tab").first().click();
    await typeIn("echo again-$((40 + 6))", "again-46");
    // To its toolbar, and backwards to its tab, where the arrows only show another one.
    await page.keyboard.press("Control+F6");
    const tab = page.getByRole("tab").first();
    const isOnTab = () => tab.evaluate((one) => one === one.ownerDocument.activeElement);
    for (let steps = 0; !(await isOnTab()); steps++) {
      if (steps > 20) throw new Error("no way leads out of the terminal");
      await page.keyboard.press("Shift+Tab");
    }
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate<string>("document.activeElement.role")).toBe("tab");
    await page.keyboard.press("Enter");
    await until(hasKeyboard);
    // Whoever writes elsewhere while it connects is left alone.
    await page.reload();
    const line = page.getByRole("textbox", { name: "Command" });
    await line.fill("true");
    await page.frameLocator(shown).locator("#terminal[data-state=connected]").waitFor();
    await until(async () => (await page.getByRole("tab").first().textContent()) !== "");
    await page.keyboard.type(" && date");
    expect(await line.inputValue()).toBe("true && date");
    // Forwards the way leads past the tools of the terminal to what is below it.
    await page.getByRole("tab").first().press("Enter");
    await until(hasKeyboard);
    await page.keyboard.press("Control+F6");
    const isOnLine = () => line.evaluate((one) => one === one.ownerDocument.activeElement);
    for (let steps = 0; !(await isOnLine()); steps++) {
      if (steps > 20) throw new Error("no way leads on from the terminal");
      await page.keyboard.press("Tab");
    }
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Desktop", exact: true }).click();
    await (await opened).waitForURL("**/display/1");
    await page.evaluate("localStorage.clear()");
  },
);

test.skipIf(missing)("no other page shows a terminal in a frame, with whatever credential", async () => {
  const { body } = await host.ours.call("POST", `/${host.containerId}/access`);
  const { access_token, urls } = body.data;
  const stranger = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(`<iframe src="${urls.terminal}/?access_token=${access_token}"></iframe>`, {
        headers: { "content-type": "text/html" },
      }),
  });
  try {
    const { page: evil } = await openPage(`http://127.0.0.1:${stranger.port}/`, { ignoreHTTPSErrors: true });
    await until(
      () => evil.frames().length === 2 && evil.frames()[1]?.url() === "chrome-error://chromewebdata/",
    );
    expect(evil.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
  } finally {
    await stranger.stop(true);
  }
});

test.skipIf(missing)(
  "files are looked through, sent with their bytes, fetched again and changed in the page; one that is there is replaced when that is asked for",
  async () => {
    const inside = async (line: string): Promise<string> =>
      (await host.ours.call("POST", `/${host.containerId}/exec`, { command: ["sh", "-c", line] })).body.data
        .stdout;
    await inside("mkdir -p '/srv/a b' && echo there > '/srv/a b/old.txt'");
    const visited = await visit(`${host.stack.url}${container}/files?path=/srv`);
    page = visited.page;
    await signIn(page, host.ours.user);
    await page.getByRole("button", { name: "Open a b" }).click();
    await page.getByRole("button", { name: "Download old.txt" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const bytes = Buffer.alloc(3_000_000, "berth");
    const file = (name: string) => ({ name, mimeType: "text/plain", buffer: bytes });
    await page.getByLabel("Files to upload").setInputFiles([file("new ü.bin"), file("old.txt")]);
    await page.getByText("There is a file of that name already.").waitFor();
    await page.getByRole("button", { name: "Download new ü.bin" }).waitFor();
    expect(await inside("cat '/srv/a b/old.txt'")).toBe("there\n");
    expect(await inside("md5sum < '/srv/a b/new ü.bin'; ls -A '/srv/a b' | wc -l")).toBe(
      `${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}  -\n2\n`,
    );

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download new ü.bin" }).click();
    const fetched = await download;
    expect(fetched.suggestedFilename()).toBe("new ü.bin");
    expect(Buffer.from(await Bun.file(await fetched.path()).bytes()).equals(bytes)).toBe(true);

    // Whoever does something else does not want to replace it.
    await page.getByRole("button", { name: "Replace old.txt" }).waitFor({ state: "detached" });
    await page.getByLabel("Files to upload").setInputFiles([file("old.txt")]);
    await page.getByRole("button", { name: "Replace old.txt" }).click();
    await page
      .getByRole("list", { name: "Uploads" })
      .getByText("There is a file")
      .waitFor({ state: "detached" });
    await until(async () => (await inside("stat -c %s '/srv/a b/old.txt'")) === "3000000\n");
    const dialog = page.getByRole("dialog");
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await button("New folder").click();
    await dialog.getByLabel("Name").fill("old.txt");
    await dialog.getByRole("button", { name: "Create the folder" }).click();
    await dialog.locator(".field-error").getByText("There is a file of that name already.").waitFor();
    await dialog.getByLabel("Name").fill("100% new");
    await dialog.getByRole("button", { name: "Create the folder" }).click();
    await button("Rename old.txt").click();
    await dialog.getByLabel("New name").fill("/srv/a b/100% new/moved.txt");
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Rename" }).click();
    await button("Download old.txt").waitFor({ state: "detached" });
    expect(await inside("ls '/srv/a b/100% new'")).toBe("moved.txt\n");
    await button("Delete 100% new").click();
    await dialog.getByRole("button", { name: "Delete the folder" }).click();
    await button("Open 100% new").waitFor({ state: "detached" });
    expect(await inside("ls '/srv/a b'")).toBe("new ü.bin\n");
    await button("srv").click();
    await button("Open a b").waitFor();
    expect(withoutRefusals(visited.errors)).toEqual([]);
  },
);

test.skipIf(missing)(
  "files at the terminal's address are for those who may enter, and for pages with a token of their own",
  async () => {
    const { body } = await host.ours.call("POST", `/${host.containerId}/access`);
    const { access_token, urls } = body.data;
    const { host: name } = new URL(urls.terminal);
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`https://127.0.0.1:${host.edgePort}${path}`, {
        redirect: "manual",
        tls: { rejectUnauthorized: false },
        ...init,
        headers: { ...(init.headers as Record<string, string>), host: name },
      } as RequestInit);
    const origin = "https://elsewhere.example";
    const own = { authorization: `Bearer ${access_token}` };
    const preflight = await ask("/files/tmp", { method: "OPTIONS", headers: { origin } });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    const put = { method: "PUT", body: "x" };
    expect((await ask("/files/tmp?name=x", put)).status).toBe(401);
    expect((await ask("/files/tmp")).status).toBe(401);
    expect((await ask("/", { method: "OPTIONS", headers: { origin } })).status).toBe(401);
    const entered = await ask(`/?access_token=${access_token}`);
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await ask("/files/tmp?name=x", { ...put, headers: { cookie, origin } })).status).toBe(403);
    expect((await ask("/files/tmp", { headers: { cookie, origin } })).status).toBe(403);
    for (const [path, expected] of [
      ["/files/tmp?name=x", 201],
      ["/files/tmp?name=x", 409],
      ["/files/nowhere?name=x", 404],
      ["/files/tmp?name=../x", 400],
      ["/files/tmp", 400],
    ] as const)
      expect([path, (await ask(path, { ...put, headers: own })).status]).toEqual([path, expected]);
    const listed = await ask("/files/tmp", { headers: { ...own, origin } });
    expect(listed.headers.get("access-control-allow-origin")).toBe("*");
    const { entries } = (await listed.json()) as { entries: { name: string }[] };
    expect(entries.map((entry) => entry.name)).toContain("x");
  },
);

test.skipIf(missing)("somebody is let in until a time, and put out again", async () => {
  const guest = await host.stack.user();
  await atTab("people");
  await page.getByRole("button", { name: "Share access" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User name").fill("nobody-of-that-name");
  await dialog.getByRole("button", { name: "Let in" }).click();
  await dialog.locator(".field-error, .note.bad").first().waitFor();
  await dialog.getByLabel("User name").fill(guest.username);
  await dialog.getByLabel("Ends on").fill("2099-01-31T09:30");
  await dialog.getByRole("button", { name: "Let in" }).click();
  await page.getByRole("row", { name: new RegExp(guest.username) }).waitFor();
  const entered = () =>
    host.stack.call("POST", `/api/v1/containers/${host.containerId}/access`, { token: guest.token });
  expect((await entered()).status).toBe(200);
  await page.getByRole("button", { name: `End the permission of ${guest.username}` }).click();
  await dialog.getByRole("button", { name: "End it" }).click();
  await page.getByText("Nobody else was let in").waitFor();
  expect((await entered()).status).toBe(404);
});

test.skipIf(missing)(
  "a changed setting says what needs a restart, and nobody's change is written over",
  async () => {
    await atTab("settings");
    await page.getByLabel("Variables", { exact: true }).fill("MODE=production");
    await page.getByLabel("Labels").fill("app=shop");
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("Changed. A restart applies: variables").waitFor();
    const record = async () => (await host.ours.call("GET", `/${host.containerId}`)).body.data;
    expect(await record()).toMatchObject({
      ...{ env: [{ name: "MODE", value: "production" }], labels: { app: "shop" }, restart_required: ["env"] },
    });
    // Changed by somebody else, which the page is told of before it can send what it has.
    await page.getByLabel("Labels").fill("app=mine");
    await host.ours.call("PATCH", `/${host.containerId}`, { labels: { app: "theirs" } }, { "if-match": "*" });
    await page.getByText("The settings were changed meanwhile.").waitFor();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.locator(".note.bad").waitFor();
    expect((await record()).labels).toEqual({ app: "theirs" });
    await page.getByRole("button", { name: "Show what they are now" }).click();
    await until(async () => (await page.getByLabel("Labels").inputValue()) === "app=theirs");
    await goTo(page, container);
    const mark = page.getByText("These changes wait for a restart: variables.");
    await mark.waitFor();
    // It is seen from each page of the container, and goes as soon as the container runs with the change.
    await goTo(page, `${container}/names`);
    await mark.waitFor();
    const restart = page.getByRole("button", { name: "Restart to apply" });
    await restart.click();
    await restart.waitFor({ state: "detached" });
    expect((await record()).restart_required).toEqual([]);
  },
);

test.skipIf(missing)("what a server uses now says it of each container", async () => {
  const { token } = host.ours;
  const { body: rentals } = await host.stack.call("GET", "/api/v1/rentals", { token });
  const path = `/api/v1/rentals/${rentals.data[0].id}/runtime`;
  const { status, body } = await host.stack.call("GET", path, { token });
  expect(status).toBe(200);
  const used = body.data.containers.find(({ id }: { id: string }) => id === host.containerId);
  expect(used.memory_bytes).toBeGreaterThan(0);
  expect(used.cpu_percent).toBeGreaterThanOrEqual(0);
});

test.skipIf(missing)(
  "what the container uses is drawn, with its figures in words, here and in the list",
  async () => {
    await until(async () => {
      const { body } = await host.ours.call("GET", `/${host.containerId}/metrics`);
      return (body.data.series.memory_bytes as (number | null)[]).some((value) => value !== null);
    });
    await atTab("metrics");
    const memory = page.getByRole("region", { name: "Memory" });
    await memory
      .getByText(/[0-9.]+ [KM]iB/)
      .first()
      .waitFor();
    await memory.locator("canvas").waitFor();
    await page.getByLabel("Show").selectOption("24h");
    await until(() => page.url().includes("range=24h"));
    await memory
      .getByText(/[0-9.]+ [KM]iB/)
      .first()
      .waitFor();
    await goTo(page, "/containers");
    await page.getByText(/% · [0-9.]+ [KM]iB/).waitFor();
  },
);

test.skipIf(missing)(
  "a storage share is made with a new project, mounted, kept as a snapshot and brought back; after a refusal the next try is made in the new project",
  async () => {
    ({ page } = await visit(`${host.stack.url}/storage?create=true`));
    await signIn(page, host.ours.user);
    const dialog = page.getByRole("dialog");
    const projects = async () =>
      (await host.stack.call("GET", "/api/v1/projects", { token: host.ours.token })).body.data.projects
        .length;
    expect(await projects()).toBe(1);
    await dialog.getByLabel("Name", { exact: true }).fill("   ");
    await dialog.getByLabel("Size, GiB").fill("0.032");
    await dialog.locator("select[name=project]").selectOption({ label: "A new project" });
    await dialog.getByLabel("Name of the new project").fill("second");
    await dialog.getByRole("button", { name: "Create the storage share" }).click();
    await dialog.locator(".field-error, .note.bad").first().waitFor();
    const chosen = dialog.locator("select[name=project] option:checked");
    await until(async () => (await chosen.textContent()) === "second");
    await dialog.getByRole("button", { name: "Create the storage share" }).click();
    await dialog.locator(".field-error, .note.bad").first().waitFor();
    expect(await projects()).toBe(2);
    await dialog.getByLabel("Name", { exact: true }).fill("data");
    await dialog.locator("select[name=project]").selectOption({ label: "web" });
    await dialog.getByRole("button", { name: "Create the storage share" }).click();
    await page.getByRole("heading", { level: 1, name: "data" }).getByText("ready").waitFor();

    await goTo(page, `${container}/volumes`);
    await page.getByRole("button", { name: "Add a volume" }).click();
    await page.getByLabel("Appears at").fill("/srv/data");
    await page.getByRole("button", { name: "Save the volumes" }).click();
    await page.getByText("They are mounted when it is restarted").waitFor();
    await page.getByRole("button", { name: "Save the volumes" }).click();
    await page.getByText("Nothing was changed").waitFor();
    await page.getByRole("button", { name: "Restart to apply" }).click();
    const inside = (line: string) =>
      host.ours.call("POST", `/${host.containerId}/exec`, { command: ["sh", "-c", line] });
    await until(
      async () =>
        (await inside("mountpoint /srv/data && echo kept > /srv/data/file")).body.data?.exit_status === 0,
    );

    await goTo(page, "/storage");
    await page.getByRole("link", { name: "data" }).click();
    await page.getByRole("cell", { name: "mounted" }).waitFor();
    await page.getByRole("button", { name: "Take a snapshot" }).click();
    await dialog.getByLabel("Name").fill("before");
    await dialog.getByRole("button", { name: "Take the snapshot" }).click();
    await page
      .getByRole("row", { name: /before/ })
      .getByText("ready")
      .waitFor();
    await page.getByRole("button", { name: "Schedule" }).click();
    await dialog.getByLabel("How many to keep").fill("16");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator(".field-error").waitFor();
    await dialog.getByLabel("How many to keep").fill("3");
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Taken every day; the newest 3 of these stay.").waitFor();
    await page
      .getByRole("row", { name: /by schedule/ })
      .getByText("ready")
      .waitFor();
    await inside("echo lost > /srv/data/file");
    await page.getByRole("button", { name: "Restore before" }).click();
    await dialog.getByText("Stop them first").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await host.ours.call("POST", `/${host.containerId}/stop`);
    await page.getByRole("cell", { name: "not mounted" }).waitFor();
    await page.getByRole("button", { name: "Restore before" }).click();
    await dialog.getByRole("button", { name: "Restore the files" }).click();
    await page.getByText("The files of data are restored").waitFor();
    await host.ours.call("POST", `/${host.containerId}/start`);
    await until(async () => (await inside("cat /srv/data/file")).body.data?.stdout === "kept\n");

    // They have one type of events, and are told apart.
    await goTo(page, "/events?resource_type=storage_share");
    for (const said of [
      "A storage share was given to container",
      "A snapshot of storage share data was taken",
      "Storage share data is being restored from a snapshot",
      "Storage share data was restored from a snapshot",
    ])
      await page.locator(".events li > :first-child", { hasText: said }).first().waitFor();
  },
);
