const TRIES_MAX = 20;

/**
 * Goes to a page, again when Chromium gave up since the machine's network has changed: other tests make and remove links of
 * containers meanwhile, and it asks no more.
 */
export async function steady<T>(navigate: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await navigate();
    } catch (error) {
      if (tries === TRIES_MAX || !String(error).includes("ERR_NETWORK_CHANGED")) throw error;
    }
  }
}
