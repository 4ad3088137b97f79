/** Kept by the console (gateway/console/app/lib/purchase.ts) while a payment is made for a purchase that lacks money. */
const COOKIE = /(?:^|; )berth-way-back=([^;]*)/;
/** A path of the console with its query, and nothing that leads to another site. */
const PATH = /^\/[a-z][\w/-]{0,80}(\?[\w=&%.-]{0,200})?$/;

/** The page of the purchase that the payment is for; undefined: there is none. */
export function wayBackOf({ headers }: Request): string | undefined {
  const [, kept = ""] = COOKIE.exec(headers.get("cookie") ?? "") ?? [];
  try {
    const path = decodeURIComponent(kept);
    return PATH.test(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
