import type { Page, Request } from "playwright-core";

const TRIES_MAX = 20;
/** Chromium's own word for it, and what a navigation meets while the page of that error is still on its way, or loads its address again. */
const INTERRUPTED = /ERR_NETWORK_CHANGED|interrupted by another navigation/;

/**
 * Goes to a page, again when Chromium gave up since the machine's network has changed: other tests make and remove links of
 * containers meanwhile, and it asks no more.
 *
 * @param page given where a script of the page may be what Chromium gave up: the page would never be ready
 */
export async function steady<T>(navigate: () => Promise<T>, page?: Page): Promise<T> {
  let gaveUp = "";
  const note = (request: Request) => {
    const reason = request.failure()?.errorText ?? "";
    if (INTERRUPTED.test(reason)) gaveUp = reason;
  };
  page?.on("requestfailed", note);
  try {
    for (let tries = 1; ; tries++) {
      gaveUp = "";
      try {
        const result = await navigate();
        if (gaveUp === "") return result;
        throw new Error(`${gaveUp}: a file of the page was not loaded`);
      } catch (error) {
        if (tries === TRIES_MAX || !INTERRUPTED.test(String(error))) throw error;
      }
    }
  } finally {
    page?.off("requestfailed", note);
  }
}

/** For `steady`: waits until a page's frame is loaded. @throws Error when Chromium gave up on the frame alone */
export async function loadedFrame(page: Page, selector: string): Promise<void> {
  const element = await page.waitForSelector(selector);
  const frame = await element.contentFrame();
  await frame?.waitForURL((url) => url.protocol !== "about:");
  await frame?.waitForLoadState();
  if (frame?.url().startsWith("chrome-error:"))
    throw new Error("ERR_NETWORK_CHANGED, or no page, in a frame");
}
