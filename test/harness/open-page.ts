import type { Page } from "playwright-core";
import { type ContextOptions, newContext } from "./browser.ts";

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
  await page.goto(url);
  return { page, errors };
}
