import type { Page } from "playwright-core";
import { type ContextOptions, newContext } from "./browser.ts";
import { steady } from "./steady.ts";

const NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED";

/** A page in a browser, and what goes wrong on it. */
export async function openPage(
  url: string,
  options: ContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`.trimEnd());
  });
  // Scripts of a page may be interrupted while the page itself is not: it would never be ready.
  let interrupted = false;
  page.on("requestfailed", (request) => {
    interrupted ||= request.failure()?.errorText === NETWORK_CHANGED;
  });
  await steady(async () => {
    interrupted = false;
    errors.length = 0;
    await page.goto(url);
    if (interrupted) throw new Error(`${NETWORK_CHANGED}: a file of the page was not loaded`);
  });
  return { page, errors };
}
