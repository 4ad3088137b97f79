import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newDriver } from "../../../test/agents/containers/new-driver.ts";
import { lacksChromium } from "../../harness/browser.ts";
import { openPage } from "../../harness/open-page.ts";
import { until } from "../../harness/until.ts";
import { testPool } from "../containers/specs.ts";
import { lacks } from "../requirements.ts";
import { type ServedContainer, servedContainer } from "./served-container.ts";

describe.skipIf(
  lacks("root", "nft", "ip", "oci", "Xvnc", "openbox", "xterm", "xclip", "xdpyinfo") || lacksChromium(),
)("a display of a container", () => {
  let container: ServedContainer;
  let desk: string;
  beforeAll(async () => {
    container = await servedContainer(newDriver(testPool(10)));
    desk = container.expose("desk", "display");
  });
  afterAll(() => container?.[Symbol.asyncDispose]());

  /** What a program of the container wrote. */
  const inside = async (script: string): Promise<string> =>
    (await container.execTarget()?.run({ user: null, argv: ["/bin/sh", "-c", script] }))?.stdout.trim() ?? "";
  const onDisplay = (program: string) =>
    inside(`DISPLAY=:1; export DISPLAY; (${program}) </dev/null >/dev/null 2>&1 &`);
  const activeTitle = () =>
    inside(
      "DISPLAY=:1; export DISPLAY; xprop -id $(xprop -root _NET_ACTIVE_WINDOW | sed 's/.*# //') WM_NAME",
    );
  /** Opens a window, with the keyboard's focus, that keeps the line that is typed into it. */
  const openWindow = async (file: string) => {
    await until(async () => (await inside("DISPLAY=:1 xprop -root _NET_SUPPORTING_WM_CHECK")).includes("#"));
    await onDisplay(`xterm -T ${file} -e sh -c 'read -r line; echo "$line" >${file}'`);
    await until(async () => (await activeTitle()).endsWith(`"${file}"`));
  };
  const holds = (file: string, text: string) => until(async () => (await inside(`cat ${file}`)) === text);
  const open = async (url: string, options: Parameters<typeof openPage>[1] = {}) => {
    const separator = url.includes("?") ? "&" : "/?";
    const opened = await openPage(`${url}${separator}access_token=${await container.token()}`, {
      ignoreHTTPSErrors: true,
      ...options,
    });
    return opened;
  };
  const isIn = (page: Page, state: string) => page.waitForSelector(`main[data-state="${state}"]`);

  test("is started at its first use, and shown under a policy that breaks nothing; what is typed reaches its programs", async () => {
    expect((await container.request(`${desk}/`)).status).toBe(401);
    const { page, errors } = await open(desk);
    await isIn(page, "connected");
    expect(page.url()).not.toContain("access_token");
    // The window manager alone would leave the screen empty.
    await until(async () => (await inside("pidof xterm")) !== "");
    await openWindow("/tmp/typed");
    await page.locator("canvas").first().focus();
    await page.keyboard.type("Hello, display\n");
    await holds("/tmp/typed", "Hello, display");
    expect(errors).toEqual([]);
  });

  test("has the size of its viewer's window, and again when that changes", async () => {
    const { page } = await open(desk, { viewport: { width: 1000, height: 700 } });
    await isIn(page, "connected");
    const size = () => inside("DISPLAY=:1 xdpyinfo | sed -n 's/ *dimensions: *\\([0-9x]*\\) .*/\\1/p'");
    const room = () =>
      page.locator(".screen").evaluate(({ clientWidth, clientHeight }) => `${clientWidth}x${clientHeight}`);
    await until(async () => (await size()) === (await room()));
    await page.setViewportSize({ width: 900, height: 600 });
    await until(async () => (await room()).startsWith("900x") && (await size()) === (await room()));
  });

  test("its clipboard is read and written on the page, by a button each", async () => {
    const { page } = await open(desk);
    await isIn(page, "connected");
    await page.getByRole("button", { name: "Clipboard", exact: true }).click();
    const field = page.getByLabel("Clipboard of the display");
    await field.fill("sent there");
    await page.getByRole("button", { name: "Send to the display" }).click();
    await until(
      async () => (await inside("DISPLAY=:1 timeout 2 xclip -o -selection clipboard")) === "sent there",
    );
    await onDisplay("printf 'copied there' | xclip -selection clipboard");
    await until(async () => (await field.inputValue()) === "copied there");
  });

  test("several look at it at once, and who only watches changes nothing", async () => {
    const [typist, watcher] = [await open(desk), await open(`${desk}/?readonly`)];
    await Promise.all([isIn(typist.page, "connected"), isIn(watcher.page, "connected")]);
    expect(await watcher.page.getByRole("button", { name: "Clipboard" }).count()).toBe(0);
    await openWindow("/tmp/watched");
    await typist.page.locator("canvas").first().focus();
    await watcher.page
      .locator("canvas")
      .first()
      .click({ position: { x: 5, y: 5 } });
    await watcher.page.keyboard.type("not this\n");
    await typist.page.keyboard.type("but this\n");
    await holds("/tmp/watched", "but this");
  });

  test("whose X server ends is said to be gone, and comes back by itself", async () => {
    const { page } = await open(desk);
    await isIn(page, "connected");
    await inside("kill $(pidof Xvnc Xtigervnc)");
    await isIn(page, "waiting");
    expect(await page.getByRole("status").first().textContent()).toContain("Connection lost");
    await isIn(page, "connected");
  });

  test("a phone shows it within its width, and types by its own keyboard", async () => {
    const { page } = await open(desk, {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    });
    await isIn(page, "connected");
    const width = await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await openWindow("/tmp/phone");
    await page.getByRole("button", { name: "Keyboard" }).click();
    await page.keyboard.insertText("from a phone");
    await page.keyboard.press("Enter");
    await holds("/tmp/phone", "from a phone");
  });

  test("redirect=display starts the display with a window manager, and leads to it on the terminal's own address", async () => {
    const { terminal } = container.urls;
    const headers = { authorization: `Bearer ${await container.token()}` };
    const query = "terminal_id=7&shell=sh&display=:2&redirect=display";
    const answer = await container.request(`${terminal}/?${query}`, { headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/display/2"]);
    const managed =
      "for pid in $(pidof openbox); do tr '\\0' '\\n' </proc/$pid/environ; done | grep ^DISPLAY=";
    await until(async () => (await inside(managed)).includes("DISPLAY=:2"));
    const { page, errors } = await open(`${terminal}/display/2`);
    await isIn(page, "connected");
    expect(errors).toEqual([]);
  });

  test("an X server without VNC is shown by x11vnc", async () => {
    await inside("Xvfb :5 -screen 0 800x600x24 </dev/null >/dev/null 2>&1 &");
    await until(() => inside("DISPLAY=:5 xdpyinfo >/dev/null && echo yes"));
    const { page } = await open(container.expose("other", "display", { index: 5 }));
    await isIn(page, "connected");
  });

  test("pages of other origins do not connect, and what is no display is refused", async () => {
    const headers = { authorization: `Bearer ${await container.token()}` };
    const get = (path: string, more: Record<string, string> = {}) =>
      container.request(`${desk}${path}`, { headers: { ...headers, ...more } });
    const upgrade = {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const foreign = await get("/api/v1/display/ws?display=1", {
      ...upgrade,
      origin: "https://other.example",
    });
    expect(foreign.status).toBe(403);
    expect((await get("/display/12345")).status).toBe(400);
    expect((await get("/display/x")).status).toBe(404);
    expect((await get("/elsewhere")).status).toBe(404);
  });
});
