import { describe, expect, test } from "bun:test";
import type { ContextOptions } from "../../../harness/browser.ts";
import { openPage } from "../../../harness/open-page.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { startService } from "../service.ts";

/** A page in a browser, and what goes wrong on it. What the network does is each test's own matter. */
async function open(url: string, options: ContextOptions = {}) {
  const { page, errors } = await openPage(url, options);
  return { page, errors: () => errors.filter((error) => !error.includes("net::ERR")) };
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>`;
const icon = `data:image/svg+xml;base64,${btoa(SVG)}`;

describe.skipIf(lacks("chromium"))("in Chromium", () => {
  test("the page shows the history, and what comes while it is open, as text", async () => {
    await using service = startService();
    await service.notify({ title: "Old <b>one</b>", body: "two\nlines & <i>more</i>" });
    const { page, errors } = await open(`${service.origin}/?display=1`);
    await page.getByText("Live").waitFor();
    expect(await page.locator("li h2").allTextContents()).toEqual(["Old <b>one</b>"]);
    expect(await page.locator("li .body").textContent()).toBe("two\nlines & <i>more</i>");
    await service.notify({ title: "New", urgency: "critical", icon });
    await service.notify({ title: "Elsewhere", display: "2" });
    await page.locator("li.critical", { hasText: "New" }).waitFor();
    expect(await page.locator("li h2").allTextContents()).toEqual(["New", "Old <b>one</b>"]);
    const picture = page.locator("li.critical img");
    await until(() => picture.evaluate((one: { naturalWidth: number }) => one.naturalWidth > 0));
    expect(errors()).toEqual([]);
  });

  test("notices are dismissed and restored by keyboard alone", async () => {
    await using service = startService();
    for (const title of ["1", "2", "3"]) await service.notify({ title });
    const { page, errors } = await open(`${service.origin}/?display=:1`);
    await page.getByRole("button", { name: "Dismiss: 3" }).waitFor();
    await page.locator("#all").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until(async () => (await page.locator("li").count()) === 2);
    // The focus is on the next one.
    await page.keyboard.press("Enter");
    await until(async () => (await page.locator("li").count()) === 1);
    const dismissed = (await service.history("1?dismissed=true")).notifications.map(({ title }) => title);
    expect(dismissed).toEqual(["3", "2"]);
    await page.locator("#all").focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Restore: 3" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Dismiss: 3" }).waitFor();
    expect((await service.history("1?dismissed=true")).notifications.map(({ title }) => title)).toEqual([
      "2",
    ]);
    expect(errors()).toEqual([]);
  });

  test("another display is chosen, and its history alone is shown", async () => {
    await using service = startService();
    await service.notify({ title: "one" });
    await service.notify({ title: "two", display: "2" });
    const { page, errors } = await open(service.origin);
    await page.getByRole("heading", { name: "Which display?" }).waitFor();
    await page.getByRole("button", { name: ":1 (1)" }).click();
    await page.getByRole("heading", { name: "one" }).waitFor();
    await page.fill("#display", "2");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "two" }).waitFor();
    expect(await page.locator("li").count()).toBe(1);
    expect(page.url()).toEndWith("?display=%3A2");
    expect(await page.getByRole("button", { name: ":2 (1)" }).getAttribute("aria-pressed")).toBe("true");
    // Whoever comes back without naming one sees it again.
    await page.goto(service.origin);
    await page.getByRole("heading", { name: "two" }).waitFor();
    expect(errors()).toEqual([]);
  });

  test("opened without a display it shows the only one there is, also one whose first notification comes later", async () => {
    await using service = startService({ buses: new Map() });
    const { page } = await open(service.origin);
    await page.getByText("None has had a notification yet").waitFor();
    expect(await page.textContent("#state")).toBe("No display chosen");
    await service.call("notify", { json: { display: "58998", title: "first", body: "" } });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("heading", { name: "first" }).waitFor();
  });

  test("who sent a notification is shown: the program by its own words, else the user", async () => {
    await using service = startService({ authorize: () => ({ readonly: false, user: "5f3a".repeat(6) }) });
    await service.notify({ title: "named", source: "nightly <backup>" });
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ display: "1", title: "b", body: "" });
    const post = (agent: string) =>
      fetch(`${service.origin}/api/v1/notifications/notify`, {
        method: "POST",
        headers: { ...headers, "user-agent": agent },
        body,
      });
    await post("curl/8.14.1");
    await post("Mozilla/5.0 (X11)");
    const { page } = await open(`${service.origin}/?display=1`);
    await page.getByRole("heading", { name: "named" }).waitFor();
    expect(await page.locator("li .source").allTextContents()).toEqual([
      "from user 5f3a5f3a…",
      "from curl",
      "from nightly <backup>",
    ]);
    expect(await page.locator("li .source").first().getAttribute("title")).toBe(
      `sent by user ${"5f3a".repeat(6)}`,
    );
  });

  test("what was shown while the page was cut off is there when it is back", async () => {
    const before = startService();
    const { folder, port } = before;
    await before.notify({ title: "before" });
    const { page } = await open(`${before.origin}/?display=1`);
    await page.getByText("Live").waitFor();
    await before[Symbol.asyncDispose]();
    await page.getByText("Not connected").waitFor();
    await using after = startService({ folder, port });
    await after.notify({ title: "missed" });
    await page.getByRole("heading", { name: "missed" }).waitFor();
    await page.getByText("Live").waitFor();
    expect(await page.locator("li h2").allTextContents()).toEqual(["missed", "before"]);
  });

  test("a stream that is refused is asked for again, and the history is shown meanwhile", async () => {
    await using service = startService();
    await service.notify({ title: "here" });
    const { page } = await open("about:blank");
    let refusals = 0;
    await page.route("**/stream*", (route) =>
      refusals++ === 0 ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await page.goto(`${service.origin}/?display=1`);
    await page.getByRole("heading", { name: "here" }).waitFor();
    await page.getByText("Live").waitFor();
    expect(refusals).toBe(2);
  });

  test("older ones are a click away", async () => {
    await using service = startService();
    await Promise.all(Array.from({ length: 8 }, (_, at) => service.notify({ title: `n${at}` })));
    for (let at = 8; at < 53; at++) await service.notify({ title: `n${at}` });
    const { page } = await open(`${service.origin}/?display=1`);
    await page.getByRole("button", { name: "Older ones" }).click();
    await until(async () => (await page.locator("li").count()) === 53);
    expect(await page.isHidden("#more")).toBe(true);
  });

  test("a notice that was not shown says why", async () => {
    await using service = startService({ buses: new Map() });
    await service.call("notify", { json: { display: "58998", title: "t", body: "" } });
    const { page } = await open(`${service.origin}/?display=58998`);
    await page.getByText("Not shown: display :58998 has no session bus").waitFor();
    expect(await page.locator("li.failed").count()).toBe(1);
  });

  test("an empty display says how one is sent, and sends a test", async () => {
    await using service = startService({ curlArguments: "--let-me in" });
    const { page, errors } = await open(`${service.origin}/?display=2`);
    await page.getByRole("heading", { name: "Nothing on display :2" }).waitFor();
    expect(await page.textContent("#example")).toStartWith(
      `curl --let-me in -H 'Content-Type: application/json' ${service.origin}/api/v1/notifications/notify`,
    );
    await page.getByRole("button", { name: "Send a test notification to :2" }).click();
    await page.getByRole("heading", { name: "Test" }).waitFor();
    expect(await page.textContent("li time")).toBe("just now");
    expect(await page.isHidden("#empty")).toBe(true);
    expect(errors()).toEqual([]);
  });

  test("before a display is chosen the page explains, and sends a test to the first one", async () => {
    await using service = startService();
    const { page, errors } = await open(service.origin);
    await page.getByRole("heading", { name: "Which display?" }).waitFor();
    expect(await page.textContent("#example")).toContain('"display":":1"');
    await page.getByRole("button", { name: "Send a test notification to :1" }).click();
    await page.getByRole("heading", { name: "Test" }).waitFor();
    expect(page.url()).toEndWith("?display=%3A1");
    expect(errors()).toEqual([]);
  });

  test("a long text is clamped until somebody wants all of it, and all are dismissed at once", async () => {
    await using service = startService();
    await service.notify({ title: "long", body: "word ".repeat(300) });
    await service.notify({ title: "short", body: "word" });
    const { page, errors } = await open(`${service.origin}/?display=1`);
    await page.getByRole("heading", { name: "short" }).waitFor();
    const height = () => page.evaluate("document.querySelector('li:nth-child(2) .body').offsetHeight");
    const clamped = (await height()) as number;
    await page.getByRole("button", { name: "Show all" }).click();
    expect((await height()) as number).toBeGreaterThan(clamped * 2);
    await page.getByRole("button", { name: "Show less" }).click();
    expect(await height()).toBe(clamped);
    await page.getByRole("button", { name: "Dismiss all" }).click();
    await page.getByRole("heading", { name: "Nothing on display :1" }).waitFor();
    expect((await service.history("1?dismissed=true")).notifications).toHaveLength(2);
    expect(await page.isHidden("#dismiss-all")).toBe(true);
    expect(errors()).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "it fits a small phone, %s, however long a word is",
    async (colorScheme) => {
      await using service = startService();
      await service.notify({ title: "long".repeat(50), body: "word".repeat(300), icon });
      const { page } = await open(`${service.origin}/?display=1`, {
        viewport: { width: 320, height: 640 },
        colorScheme,
      });
      await page.locator("li").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
      const screenshots = process.env.BERTH_SCREENSHOTS;
      if (screenshots) await page.screenshot({ path: `${screenshots}/notifier-${colorScheme}.png` });
    },
  );

  test("an SVG that is opened by itself runs nothing", async () => {
    await using service = startService();
    const script = `<svg xmlns="http://www.w3.org/2000/svg"><script>document.documentElement.setAttribute("id", "ran")</script></svg>`;
    const { icon_id } = await service.notify({ icon: `data:image/svg+xml;base64,${btoa(script)}` });
    const { page } = await open(`${service.origin}/api/v1/notifications/icons/${icon_id}`);
    expect(await page.evaluate("document.documentElement.id")).toBe("");
  });
});

test("nothing in the page runs or is styled without the nonce of its answer", async () => {
  await using service = startService();
  const [one, other] = [await service.call("/"), await service.call("/")];
  const policy = one.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(other.headers.get("content-security-policy")).not.toBe(policy);
  const html = await one.text();
  const nonce = /script-src 'nonce-([\w-]+)'/.exec(policy)?.[1];
  for (const tag of html.match(/<(script|style)\b[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonce}"`);
  expect(html).not.toMatch(/ (on\w+|style)=/);
});
