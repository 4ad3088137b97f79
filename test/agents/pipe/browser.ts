import { afterAll } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { steady } from "../../harness/steady.ts";

/** Debian's Chromium, or another one that is named. */
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Whether there is no browser; says so. */
export function lacksChromium(): boolean {
  if (existsSync(CHROMIUM)) return false;
  console.log(`skipped: this machine lacks ${CHROMIUM}`);
  return true;
}

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** A page in a browser, and what goes wrong on it. */
export async function openPage(
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const context = await (await browser).newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await steady(() => page.goto(url));
  return { page, errors };
}
