/** A purchase that lacks money leads to a top-up, and the top-up back to the purchase with its choices. */

/** Read by the pages of the payment (gateway/payments/way-back.ts), which have no scripts. */
const COOKIE = "berth-way-back";
const READ_BELOW = ["/payments", "/sandbox"];
const KEPT_SECONDS = 3_600;

/** @param back a path of the console; undefined: the next payment is for no purchase */
export function keepWayBack(back: string | undefined): void {
  for (const path of READ_BELOW) {
    // biome-ignore lint/suspicious/noDocumentCookie: browsers have the Cookie Store API on https alone
    document.cookie = `${COOKIE}=${encodeURIComponent(back ?? "")}; Path=${path}; SameSite=Lax; Max-Age=${back === undefined ? 0 : KEPT_SECONDS}`;
  }
}

/** The duration that was chosen before, where it still has a price. */
export const chosenDays = (prices: readonly { readonly days: number }[], before: unknown): number =>
  (prices.find(({ days }) => days === Number(before)) ?? prices[0])?.days ?? 0;
