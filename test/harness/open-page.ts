import { afterAll, afterEach } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type ContextOptions, launchBrowser, newContext } from "./browser.ts";
import { steady } from "./steady.ts";

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());
// A page goes on playing and drawing for as long as it is open.
afterEach(async () => {
  const contexts = (await browser)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
});

/** A page in a browser, and what goes wrong on it. */
export async function openPage(
  url: string,
  options: ContextOptions = {},
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
