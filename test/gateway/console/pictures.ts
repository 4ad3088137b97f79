import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** `BERTH_PICTURES=docs/images npm test -- test/e2e/first-five-minutes.test.ts` takes the pictures of the README. */
const FOLDER = process.env.BERTH_PICTURES;

/** Small enough for a repository, and sharp enough to read. */
const QUALITY = 80;

interface PictureOptions {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
}

/** Takes a picture of the page as it is, where somebody asked for pictures. */
export async function picture(page: Page, name: string, options: PictureOptions = {}): Promise<void> {
  if (FOLDER === undefined) return;
  const { scheme = "light", width = 1280, height = 800 } = options;
  const before = page.viewportSize();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  // What was just done is no part of the page.
  const toasts = page.locator(".toasts");
  await toasts.evaluate((element) => element.style.setProperty("visibility", "hidden"));
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, "base64"));
  await toasts.evaluate((element) => element.style.removeProperty("visibility"));
  await page.emulateMedia({ colorScheme: "light" });
  if (before !== null) await page.setViewportSize(before);
}
