import { afterAll } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser, newContext } from "../../harness/browser.ts";
import { steady } from "../../harness/steady.ts";

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** A page in a browser, and what goes wrong on it. */
export async function openPage(
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  browser ??= launchBrowser();
  const context = await newContext(await browser, options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await steady(() => page.goto(url));
  return { page, errors };
}
