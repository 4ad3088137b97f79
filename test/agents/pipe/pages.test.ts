import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { lacksChromium } from "../../harness/browser.ts";
import { openPage } from "../../harness/open-page.ts";
import { until } from "../../harness/until.ts";
import { curl, startPipe } from "./pipe-server.ts";

const pipe = startPipe({ limits: { progressMs: 50, sweepMs: 50 } });
/** As behind an edge, which has let the page in. */
const guarded = startPipe({
  signIn: {
    tokenPath: "/token",
    curlTrust: "-k --pin 'x'",
    share: async (_, path) => ({ token: `for:${path}`, expiresInSeconds: 3_600 }),
  },
});
const PREFIX = "/api/v1/pipe/";
const LONG = "long".repeat(50);
const clip = (name: string) => join(import.meta.dir, "clips", name);

describe.skipIf(lacksChromium())("in Chromium", () => {
  test("a file is sent with its name and type, and the page shows how it goes", async () => {
    const { page, errors } = await openPage(pipe.origin);
    const body = Buffer.alloc(5_000_000, "x");
    await page.setInputFiles("#file", { name: "naïve.txt", mimeType: "text/plain", buffer: body });
    await page.fill("#send-path", "from/browser");
    expect(await page.textContent("#link")).toBe(`${pipe.origin}${PREFIX}from/browser`);
    expect(await page.textContent("#curl")).toBe(
      `curl -f -o 'naïve.txt' '${pipe.origin}${PREFIX}from/browser'`,
    );
    await page.click("#start");
    await page.getByText("Waiting for receivers: 0 of 1").waitFor();
    const response = await fetch((await page.textContent("#link")) ?? "");
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt`,
    );
    expect((await response.bytes()).length).toBe(body.length);
    await page.getByText("Complete").waitFor();
    expect(await page.textContent("#figures")).toStartWith("5.0 MB");
    expect(await page.isEnabled("#start")).toBe(true);
    expect(errors).toEqual([]);
  });

  test("text is sent by keyboard alone, to two, and received on another page", async () => {
    const { page: sender, errors } = await openPage(pipe.origin);
    await sender.focus("input[value=file]");
    await sender.keyboard.press("ArrowRight");
    await sender.keyboard.press("Tab");
    await sender.keyboard.type("héllo <b>world</b>");
    await sender.keyboard.press("Tab");
    await sender.keyboard.press("Control+A");
    await sender.keyboard.type("key/board");
    await sender.keyboard.press("Tab");
    await sender.keyboard.press("Control+A");
    await sender.keyboard.type("2");
    await sender.keyboard.press("Enter");
    await sender.getByText("Waiting for receivers: 0 of 2").waitFor();

    const { page: receiver, errors: others } = await openPage(`${pipe.origin}${PREFIX}`);
    await receiver.focus("#tab-send");
    await receiver.keyboard.press("ArrowRight");
    await receiver.fill("#receive-path", `${pipe.origin}${PREFIX}key/board?n=2`);
    expect(await receiver.inputValue("#receive-n")).toBe("2");
    await receiver.click("button[value=text]");
    await sender.getByText("Waiting for receivers: 1 of 2").waitFor();
    expect((await curl(`${pipe.origin}${PREFIX}key/board?n=2`).done()).text).toBe("héllo <b>world</b>");
    await receiver.locator("#shown-state", { hasText: "Complete" }).waitFor();
    expect(await receiver.inputValue("#shown-text")).toBe("héllo <b>world</b>");
    await sender.getByText("Complete").waitFor();
    expect([...errors, ...others]).toEqual([]);
  });

  test("a file is received as a download", async () => {
    const { page } = await openPage(pipe.origin);
    const sender = curl(
      "-T",
      clip("clip.webm"),
      "-H",
      'Content-Disposition: inline; filename="c.webm"',
      `${pipe.origin}${PREFIX}dl`,
    );
    await page.click("#tab-receive");
    await page.fill("#receive-path", "/dl");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("button[value=download]"),
    ]);
    expect(download.suggestedFilename()).toBe("c.webm");
    expect((await sender.done()).text).toContain("Transfer complete");
  });

  test("one profile sends to itself, though its receiver has the URL open already", async () => {
    const { page: sender } = await openPage(pipe.origin);
    await sender.click("input[value=text]");
    await sender.fill("#text", "from this very browser");
    await sender.fill("#send-path", "same/profile");
    const receiver = await sender.context().newPage();
    const opened = receiver.goto(`${pipe.origin}${PREFIX}same/profile`);
    await until(() => pipe.service.pipes.peers === 1);
    await sender.click("#start");
    // Sooner than Chromium's cache gives up its lock.
    await sender.locator("#state", { hasText: "Complete" }).waitFor();
    await opened;
    expect(await receiver.textContent("body")).toBe("from this very browser");
    // Chromium may hold the progress that was followed for a while longer.
    await sender.context().close();
    await pipe.isFree();
  });

  test("one profile receives twice at once", async () => {
    const { page } = await openPage(pipe.origin);
    const other = await page.context().newPage();
    await other.goto(pipe.origin);
    for (const one of [page, other]) {
      await one.click("#tab-receive");
      await one.fill("#receive-path", "twice");
      await one.fill("#receive-n", "2");
      await one.click("button[value=text]");
    }
    const sender = curl("-T", "/etc/hostname", `${pipe.origin}${PREFIX}twice?n=2`);
    for (const one of [page, other]) {
      await one.locator("#shown-state", { hasText: "Complete" }).waitFor();
    }
    expect((await sender.done()).text).toContain("Transfer complete");
  });

  test("where receivers must sign in, what is copied lets them in", async () => {
    const { page, errors } = await openPage(guarded.origin, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.fill("#send-path", "for/you");
    const url = `${guarded.origin}${PREFIX}for/you`;
    expect(await page.textContent("#link")).toBe(url);
    const copied = async (button: string) => {
      await page.click(button);
      await page.locator(button, { hasText: "Copied" }).waitFor();
      return page.evaluate("navigator.clipboard.readText()");
    };
    expect(await copied("#copy-link")).toBe(`${url}?share_token=for%3A%2Fapi%2Fv1%2Fpipe%2Ffor%2Fyou`);
    await page.fill("#send-n", "2");
    expect(await copied("#copy-curl")).toBe(
      `curl -f -k --pin 'x' -o 'file' '${url}?n=2&share_token=for%3A%2Fapi%2Fv1%2Fpipe%2Ffor%2Fyou'`,
    );
    await page.fill("#send-path", "help");
    await page.click("#copy-link");
    await page.getByText('"/help" is reserved').waitFor();
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
    await page.close();
  });

  test("a refusal is shown as what it is", async () => {
    const { page } = await openPage(pipe.origin);
    const first = curl("-T", clip("clip.webm"), `${pipe.origin}${PREFIX}taken`);
    await until(() => pipe.service.pipes.peers > 0);
    await page.click("input[value=text]");
    await page.fill("#send-path", "taken");
    await page.click("#start");
    await page.getByText("It was not sent. A sender is waiting on this path already").waitFor();
    first.kill();
    await pipe.isFree();
  });

  test("cancelling frees the path", async () => {
    const { page } = await openPage(pipe.origin);
    await page.click("input[value=text]");
    await page.fill("#text", "x");
    await page.setViewportSize({ width: 390, height: 600 });
    await page.click("#start");
    await page.getByText("Waiting for receivers").waitFor();
    // Where the person looks who has just pressed the button.
    expect(
      await page.evaluate("document.querySelector('#state').getBoundingClientRect().bottom"),
    ).toBeLessThan(600);
    await page.click("#cancel");
    await page.getByText("you cancelled it").waitFor();
    await pipe.isFree();
  });

  test("the dashboard follows a transfer without a place among its receivers", async () => {
    const path = `${PREFIX}watched`;
    const { page, errors } = await openPage(`${pipe.origin}${path}?progress=true`);
    await page.getByText("Waiting for a sender").waitFor();
    const sender = await pipe.request("POST", path, ["Content-Length: 2000000"]);
    await page.getByText("Waiting for receivers: 0 of 1").waitFor();
    const receiver = await pipe.request("GET", path);
    sender.send(new Uint8Array(1_000_000));
    await page.locator("#figures", { hasText: "1.0 MB of 2.0 MB" }).waitFor();
    expect(await page.getAttribute("#bar", "value")).toBe("0.5");
    sender.send(new Uint8Array(1_000_000));
    await page.getByText("Complete").waitFor();
    expect(await page.textContent("#speed-label")).toBe("Average speed");
    expect(await page.textContent("#speed")).toMatch(/^[\d.]+ [kM]?B\/s$/);
    expect((await receiver.response()).body.length).toBe(2_000_000);
    expect(errors).toEqual([]);
    // It can go on to watch the next one, which fails.
    await page.click("#again");
    const failing = await pipe.request("POST", path, ["Content-Length: 100"]);
    await pipe.request("GET", path);
    failing.send("x");
    await page.getByText("Sending").waitFor();
    failing.reset();
    await page.getByText("Not all of it arrived: the sender disconnected.").waitFor();
  });

  test.each([
    ["clip.webm", 1],
    ["clip-fragmented.mp4", 1],
    ["clip-plain.mp4", 1],
    ["clip.mpegts", 1],
    ["clip.webm", 2],
  ])("%s plays (n=%i): the page takes no place, its player one", async (name, n) => {
    const path = `${PREFIX}video-${name}-${n}?n=${n}`;
    const { page, errors } = await openPage(`${pipe.origin}${path}&video=true`);
    await until(() => pipe.service.pipes.peers === 1);
    expect(await page.getAttribute("video", "controls")).toBeNull();
    const sender = curl("-T", clip(name), `${pipe.origin}${path}`);
    if (n === 2) expect((await curl("-o", "/dev/null", `${pipe.origin}${path}`).done()).code).toBe(0);
    expect((await sender.done()).text).toEndWith("[INFO] Transfer complete.\n");
    await page.locator("#state", { hasText: "Complete" }).waitFor();
    const video = page.locator("video");
    expect(await video.getAttribute("controls")).not.toBeNull();
    await until(() => video.evaluate((one: { currentTime: number }) => one.currentTime > 0.5));
    expect(await video.evaluate((one: { videoWidth: number }) => one.videoWidth)).toBe(96);
    expect(Math.round(await video.evaluate((one: { duration: number }) => one.duration))).toBe(3);
    expect(errors).toEqual([]);
  });

  test("what is no video is said to be none", async () => {
    const { page } = await openPage(`${pipe.origin}${PREFIX}no-video?video=true`);
    await until(() => pipe.service.pipes.peers === 1);
    await curl("-T", "/etc/hostname", `${pipe.origin}${PREFIX}no-video`).done();
    await page.getByText("this is no WebM, MP4 or MPEG transport stream").waitFor();
  });

  test("without JavaScript, a file and a text are sent", async () => {
    const options = { javaScriptEnabled: false };
    const { page } = await openPage(`${pipe.origin}/noscript?path=/no/script`, options);
    await page.setInputFiles("#input", {
      name: "a.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("file"),
    });
    const received = curl("-i", `${pipe.origin}${PREFIX}no/script`);
    await page.click("button:has-text('Send')", { noWaitAfter: true });
    expect((await received.done()).text).toMatch(/filename="a.txt"[\s\S]*\r\n\r\nfile$/);
    // The answer stands on the page of the form, which can send the next one.
    await page.frameLocator("iframe").getByText("[INFO] Transfer complete.").waitFor();
    expect(await page.inputValue("#path")).toBe("no/script");

    const { page: text } = await openPage(`${pipe.origin}${PREFIX}noscript?mode=text`, options);
    expect(await text.isDisabled("button:has-text('Send')")).toBe(true);
    await text.fill("#path", "nö script");
    await text.click("button:has-text('Use this path')");
    await text.fill("#input", "some text");
    const other = curl("-i", `${pipe.origin}${PREFIX}n%C3%B6%20script`);
    await text.click("button:has-text('Send')", { noWaitAfter: true });
    expect((await other.done()).text).toMatch(
      /Content-Type: text\/plain; charset=utf-8\r\n[\s\S]*\r\n\r\nsome text$/,
    );
  });

  test.each([
    ["home", "/"],
    ["noscript", `/noscript?path=${LONG}`],
    ["progress", `${PREFIX}${LONG}?progress=true`],
    ["video", `${PREFIX}${LONG}?video=true`],
  ])("%s fits a small phone, however long its path", async (_, path) => {
    const { page } = await openPage(`${pipe.origin}${path}`, { viewport: { width: 320, height: 640 } });
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    expect(wide).toBeLessThanOrEqual(320);
    await page.close();
  });
});
