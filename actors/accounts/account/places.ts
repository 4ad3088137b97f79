import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { programName } from "../../../schemas/accounts/user-agent.ts";
import type { Context } from "../../runtime/definition.ts";
import { sendSecurityNotice } from "./factors/notices.ts";
import type { Account, SignedInFrom } from "./rules.ts";

/** From where a user signs in: a provider's network and a kind of program. Neither a changed address of one line nor an update is somewhere new. */

/** People have a few devices and lines. All are in memory with the account. */
const PLACES_MAX = 50;
const HASH_CHARS = 16;
/** Networks of so many parts of an address are a provider's: two bytes of IPv4, two groups of IPv6. */
const PARTS = 2;

/** The hash of a place; undefined where nothing is known of it. */
export function placeOf({ address, userAgent }: SignedInFrom): string | undefined {
  if (address === null && userAgent === null) return undefined;
  const separator = isIP(address ?? "") === 6 ? ":" : ".";
  const network = (address ?? "").split(separator, PARTS).join(separator);
  const program = (userAgent ?? "").replace(/[0-9]+/g, "");
  return createHash("sha256").update(`${network} ${program}`).digest("hex").slice(0, HASH_CHARS);
}

/** The account with the place of a sign-in, and whether it is new. The first place of an account is new to nobody. */
export function addPlace(account: Account, from: SignedInFrom): { account: Account; isNew: boolean } {
  const place = placeOf(from);
  const { knownPlaces } = account;
  if (place === undefined || knownPlaces.at(-1) === place) return { account, isNew: false };
  const others = knownPlaces.filter((one) => one !== place);
  return {
    account: { ...account, knownPlaces: [...others, place].slice(-PLACES_MAX) },
    isNew: others.length === knownPlaces.length && knownPlaces.length > 0,
  };
}

/** Tells the user of a sign-in from somewhere new. */
export function recordPlace(ctx: Context<Account | null>, before: Account, from: SignedInFrom): Account {
  const { account, isNew } = addPlace(before, from);
  if (isNew)
    sendSecurityNotice(
      ctx,
      "A sign-in from somewhere new",
      `Somebody signed in to your account from ${from.address ?? "an unknown address"} with ${programName(from.userAgent ?? null)}.`,
      { page: "/account/sessions" },
    );
  return account;
}
