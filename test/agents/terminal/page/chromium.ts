import type { Page } from "playwright-core";
import { type ContextOptions, newContext } from "../../../harness/browser.ts";
import { until } from "../../../harness/until.ts";
import { startService } from "../service.ts";

/** A window with an empty profile. Whatever its page complains about is in `complaints`. */
export async function newWindow(options: ContextOptions = {}) {
  const context = await newContext({ viewport: { width: 1000, height: 640 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // What the network does is each test's own matter.
    if (message.type() === "error" && !/net::ERR|WebSocket connection/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  return { page, context, complaints };
}

/** The text of the terminal as the page holds it. */
export const shown = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { terminal } = globalThis as unknown as {
      terminal: {
        buffer: {
          active: { length: number; getLine(row: number): { translateToString(trim: boolean): string } };
        };
      };
    };
    const { active } = terminal.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row).translateToString(true))
      .join("\n")
      .trimEnd();
  });

/** A service of its own, and a window on it that is connected. */
export async function openWindow(query: string, options: ContextOptions = {}) {
  const service = startService();
  const window = await newWindow(options);
  await window.page.goto(`${service.origin}/?${query}`);
  await connected(window.page);
  return {
    ...window,
    service,
    async [Symbol.asyncDispose]() {
      await window.context.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

export const connected = (page: Page) => page.waitForSelector('.app[data-state="connected"]');

export async function shows(page: Page, text: string | RegExp): Promise<void> {
  const holds = (all: string) => (typeof text === "string" ? all.includes(text) : text.test(all));
  await until(async () => holds(await shown(page))).catch(async () => {
    throw new Error(`the page does not show ${text} but:\n${await shown(page)}`);
  });
}
