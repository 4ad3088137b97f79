const TRIES_MAX = 20;
/** Chromium's own word for it, and what a navigation meets while the page of that error is still on its way. */
const INTERRUPTED = /ERR_NETWORK_CHANGED|interrupted by another navigation to "chrome-error:/;

/**
 * Goes to a page, again when Chromium gave up since the machine's network has changed: other tests make and remove links of
 * containers meanwhile, and it asks no more.
 */
export async function steady<T>(navigate: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await navigate();
    } catch (error) {
      if (tries === TRIES_MAX || !INTERRUPTED.test(String(error))) throw error;
    }
  }
}
