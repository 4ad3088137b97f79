import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { temporaryFolder } from "../../../harness/servers.ts";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { connected, openWindow, shown, shows } from "./chromium.ts";

const missing = lacks("chromium");
const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** A finger on the terminal, from one height to another. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = (y: number) => [{ x: 150, y }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
  for (let step = 1; step <= 10; step++) {
    const touchPoints = at(from + ((to - from) * step) / 10);
    await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints });
  }
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

const top = (page: Page) => page.evaluate<number>("terminal.buffer.active.viewportY");
const focused = (page: Page) =>
  page.evaluate("document.activeElement.title || document.activeElement.className");

describe.skipIf(missing)("by fingers", () => {
  test("the terminal scrolls, and a program that fills the screen gets the wheel", async () => {
    await using window = await openWindow("terminal_id=7", PHONE);
    const { page } = window;
    await page.keyboard.type("seq 1 300; echo fin''ished\n");
    await shows(page, "300\nfinished");
    const before = await until(() => top(page));
    await swipe(page, 200, 500);
    await until(async () => (await top(page)) < before - 10);
    await page.keyboard.type("printf '\\033[?1049h\\033[?1000h\\033[?1006h'; cat -v\n");
    await until(() => page.evaluate("terminal.modes.mouseTrackingMode !== 'none'"));
    await swipe(page, 500, 200);
    await shows(page, "^[[<65;");
  });

  test("a tap gives the terminal the focus, and a swipe does not", async () => {
    await using window = await openWindow("terminal_id=7", PHONE);
    const { page } = window;
    await page.evaluate("document.activeElement.blur()");
    await swipe(page, 200, 500);
    expect(await focused(page)).not.toContain("xterm-helper-textarea");
    await page.touchscreen.tap(150, 300);
    await until(async () => `${await focused(page)}`.includes("xterm-helper-textarea"));
    await page.keyboard.type("echo $((6*7))\n");
    await shows(page, "\n42");
  });

  test("what is shown is as large as it is asked for, also where the browser only plays a phone", async () => {
    await using window = await openWindow("terminal_id=7", PHONE);
    // Where WebGL draws at another size than is shown, it has to give way.
    await until(
      async () =>
        (await window.page.getAttribute("html", "data-renderer")) === "dom" ||
        (await window.page.evaluate(
          "[...document.querySelectorAll('.xterm-screen canvas')].every((one) => Math.abs(one.width - one.clientWidth * devicePixelRatio) < 3)",
        )),
    );
    await window.page.keyboard.type("echo $((6*7))\n");
    await shows(window.page, "\n42");
  });

  test("text is picked from the terminal as text, and pasted into a field where the clipboard cannot be read", async () => {
    await using window = await openWindow("terminal_id=7", { ...PHONE, permissions: ["clipboard-write"] });
    const { page } = window;
    await page.keyboard.type("echo pick $((20+1)) out\n");
    await shows(page, "\npick 21 out");
    await page.tap('button[title="Copy"]');
    expect(await page.textContent(".clip pre")).toContain("\npick 21 out");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.clip pre')).userSelect")).toBe(
      "text",
    );
    await page.tap('.clip button[title="Copy all"]');
    await page.waitForSelector('.status:has-text("Copied.")');
    await page.evaluate(
      "navigator.clipboard.readText = () => Promise.reject(new Error('the person said no'))",
    );
    await page.tap('button[title="Paste"]');
    await page.fill(".clip textarea", "echo pas\u001bted");
    await page.tap('.clip button[title="Send to the terminal"]');
    await page.keyboard.press("Enter");
    await shows(page, "\npasted");
  });

  test("an ended session is started again by a button", async () => {
    await using window = await openWindow("terminal_id=7", PHONE);
    await window.page.keyboard.type("exit 3\n");
    await window.page.waitForSelector('.app[data-state="ended"]');
    await window.page.tap('.status button[title="Start again"]');
    await connected(window.page);
    await window.page.keyboard.type("echo anew $((1+1))\n");
    await shows(window.page, "anew 2");
  });

  test("the page stays above a keyboard, and its keys in reach", async () => {
    await using window = await openWindow("terminal_id=7", PHONE);
    const { page, service } = window;
    const rows = await until(() => service.terminal.sessions.get(7)?.size.rows);
    // As browsers do that lay the keyboard over the page.
    await page.evaluate(`{
      Object.defineProperty(visualViewport, "height", { value: 400, configurable: true });
      visualViewport.dispatchEvent(new Event("resize"));
    }`);
    await until(() => (service.terminal.sessions.get(7)?.size.rows ?? rows) < rows);
    const keys = await page.locator(".keys").boundingBox();
    expect((keys?.y ?? 0) + (keys?.height ?? 0)).toBeLessThanOrEqual(400);
  });

  test("every tool is in reach, as an icon in the bar or as a word in its menu", async () => {
    const panel = encodeURIComponent("http://localhost:9/");
    const title = "A+session+with+a+name+as+long+as+people+make+them";
    await using window = await openWindow(`terminal_id=7&panel=${panel}&title=${title}`, PHONE);
    const { page } = window;
    const words = () => page.locator(".toolbar .word:visible").allTextContents();
    for (const tool of ["Sessions", "Search", "Copy", "Paste", "Side panel", "More tools"]) {
      const box = await page.locator(`.toolbar button[title="${tool}"]`).boundingBox();
      expect(box?.x).toBeGreaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
      expect(box?.height).toBeGreaterThan(28);
    }
    expect(await words()).toEqual([]);
    await page.tap('button[title="More tools"]');
    expect(await words()).toEqual(["Smaller text", "Larger text", "Upload files", "Download a file"]);
    expect(await page.locator(".menu svg:visible").count()).toBe(0);
    await page.tap('button[title="Larger text"]');
    expect(await words()).toEqual([]);
    expect(await page.evaluate("terminal.options.fontSize")).toBe(14);
    await page.tap('button[title="Side panel"]');
    expect(await page.isVisible(".panel")).toBe(false);
    expect(await page.isVisible(".grip")).toBe(false);
    await page.tap('button[title="Side panel"]');
    await page.tap('button[title="Close the panel"]');
    expect(await page.getAttribute('button[title="Side panel"]', "aria-pressed")).toBe("false");
  });

  test("the panel below is made higher and lower by its grip", async () => {
    const panel = encodeURIComponent("http://localhost:9/");
    await using window = await openWindow(`terminal_id=7&panel=${panel}&panel-height=250px`, PHONE);
    const { page } = window;
    const height = async () => (await page.locator(".panel").boundingBox())?.height ?? 0;
    expect(await height()).toBe(250);
    const grip = await page.locator(".grip").boundingBox();
    if (grip === null) throw new Error("no grip");
    const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 100, { steps: 3 });
    await page.mouse.up();
    await until(async () => Math.abs((await height()) - 350) < 12);
    const before = await height();
    await page.focus(".grip");
    await page.keyboard.press("ArrowDown");
    await until(async () => (await height()) === before - 20);
  });

  test("a panel leaves room for the terminal, however high it is to be", async () => {
    const panel = encodeURIComponent("http://localhost:9/");
    await using window = await openWindow(`terminal_id=7&panel=${panel}&panel-height=10000px`, PHONE);
    const screen = await window.page.locator(".screen").boundingBox();
    expect(screen?.height).toBeGreaterThan(100);
    expect((screen?.y ?? 0) + (screen?.height ?? 0)).toBeLessThan(700);
  });
});

describe.skipIf(missing)("by the keyboard", () => {
  test("there is a way out of the terminal and back, and each tool can be reached", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    await page.keyboard.press("Control+F6");
    expect(await focused(page)).toBe("Screen reader mode");
    await page.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("Sessions");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await focused(page)).toBe("Download a file");
    await page.keyboard.press("Escape");
    expect(await focused(page)).toContain("xterm-helper-textarea");
    await page.keyboard.type("echo back $((1+1))\n");
    await shows(page, "back 2");
    // Tab leads on from the last tool, and not back into the terminal, which would keep it.
    await page.keyboard.press("Control+F6");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    expect(await focused(page)).not.toContain("xterm-helper-textarea");
  });

  test("a screen reader is told what is shown, once that is asked for, and the next time too", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    expect(await page.locator(".xterm-accessibility").count()).toBe(0);
    await page.keyboard.press("Control+F6");
    await page.keyboard.press("Enter");
    expect(await page.getAttribute('button[title="Screen reader mode"]', "aria-pressed")).toBe("true");
    await page.keyboard.press("Escape");
    await page.keyboard.type("echo said $((1+1))\n");
    await page.waitForSelector('.xterm-accessibility :text("said 2")', { state: "attached" });
    await page.reload();
    await connected(page);
    expect(await page.locator(".xterm-accessibility").count()).toBe(1);
  });

  test("everything that can be pressed has a name, and the panel's edge is moved by arrows", async () => {
    const panel = encodeURIComponent("http://localhost:9/");
    await using window = await openWindow(`terminal_id=7&panel=${panel}&panel-width=300px`);
    const { page } = window;
    await page.click('button[title="Sessions"]');
    await page.waitForSelector(".sessions[open]");
    const nameless = await page.evaluate(
      "[...document.querySelectorAll('button, input, textarea, iframe, dialog[open], [role=separator]')].filter((one) => !one.ariaLabel && !one.title).length",
    );
    expect(nameless).toBe(0);
    await page.keyboard.press("Escape");
    // The terminal takes the focus after the dialog has closed.
    await until(() => page.evaluate("document.activeElement.matches('.xterm-helper-textarea')"));
    await page.focus(".grip");
    for (let n = 0; n < 3; n++) await page.keyboard.press("ArrowLeft");
    await until(async () => (await page.locator(".panel").boundingBox())?.width === 360);
  });
});

describe.skipIf(missing)("what goes in", () => {
  test("a paste of lines is held by the shell until Enter, and a megabyte of it arrives whole", async () => {
    await using window = await openWindow("terminal_id=7");
    const { page } = window;
    const paste = (text: string) =>
      page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", ${text});
        const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
        document.querySelector(".xterm-helper-textarea").dispatchEvent(event);
      }`);
    await until(() => page.evaluate("terminal.modes.bracketedPasteMode"));
    await paste(`"echo one $((1+1))\\necho two $((2+2))\\n"`);
    await shows(page, "echo two");
    expect(await shown(page)).not.toContain("one 2");
    await page.keyboard.press("Enter");
    await shows(page, "one 2\ntwo 4");
    const file = `${temporaryFolder()}/pasted`;
    await page.keyboard.type(`stty -echo; cat >${file}; cksum <${file}; echo do''ne\n`);
    // The shell has its own brackets around a paste, and the program has none.
    await until(() => page.evaluate("!terminal.modes.bracketedPasteMode"));
    await until(() => Bun.file(file).exists());
    await paste(`("0123456789abcdef".repeat(4) + "\\n").repeat(16384)`);
    await page.keyboard.press("Control+d");
    await shows(page, "\ndone");
    const expected = Bun.spawnSync(["cksum"], {
      stdin: Buffer.from(`${"0123456789abcdef".repeat(4)}\n`.repeat(16_384)),
    });
    expect(await shown(page)).toContain(expected.stdout.toString().trim());
  });

  test("files are chosen and go to where the shell is, for who has nothing to drop them with", async () => {
    await using window = await openWindow("terminal_id=7", PHONE);
    const { page } = window;
    const folder = temporaryFolder();
    await page.keyboard.type(`cd ${folder}; echo in''side\n`);
    await shows(page, "\ninside");
    const choosing = page.waitForEvent("filechooser");
    await page.tap('button[title="More tools"]');
    await page.tap('button[title="Upload files"]');
    await (await choosing).setFiles([
      { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("first") },
      { name: "b.txt", mimeType: "text/plain", buffer: Buffer.from("second") },
    ]);
    await page.waitForSelector('.status:has-text("b.txt is there.")');
    expect(await Bun.file(`${folder}/a.txt`).text()).toBe("first");
    expect(await Bun.file(`${folder}/b.txt`).text()).toBe("second");
  });
});
