import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { faultOfUrl } from "../../../schemas/activity/webhook.ts";
import type { Networks } from "../../../system/networks.ts";
import { isPublicAddress } from "../../../system/public-address.ts";

/**
 * Where a request of a webhook goes: customers choose the address, so it must not lead to what only Berth's own network reaches. The name
 * is looked up once, and the connection is made to the address that was checked.
 */

/** Why a request is not made. */
export class TargetError extends Error {
  override readonly name = "TargetError";
}

export interface Target {
  /** The URL with the checked address in place of the name. */
  readonly url: string;
  /** As the header `Host` has it. */
  readonly host: string;
  /** The name that the certificate must have. */
  readonly serverName: string;
}

export type LookUp = (name: string) => Promise<readonly string[]>;

/** @throws TargetError */
export async function resolveTarget(
  text: string,
  allowed: Networks,
  lookUp: LookUp = lookUpAddresses,
): Promise<Target> {
  const fault = faultOfUrl(text);
  if (fault !== undefined) throw new TargetError(fault);
  const url = new URL(text);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const isName = isIP(name) === 0;
  const addresses = isName ? await lookUp(name) : [name];
  const [address] = addresses;
  if (address === undefined) throw new TargetError(unreachable(name));
  // Every address, so that it does not depend on chance whether a name is allowed.
  const refused = addresses.find((one) => !isPublicAddress(one) && !allowed.includes(one));
  if (refused !== undefined) throw new TargetError(isName ? unreachable(name) : `${name} ${PRIVATE}`);
  if (url.protocol !== "https:" && !addresses.every(allowed.includes))
    throw new TargetError(`${url.host} must be reached by https`);
  const { host } = url;
  url.hostname = isIP(address) === 6 ? `[${address}]` : address;
  return { url: url.href, host, serverName: name };
}

const PRIVATE = "has an address of a private network, which this Berth does not allow";
/** One text for both: whoever may not reach a private network does not learn its names either. */
const unreachable = (name: string): string => `${name} is unknown, or ${PRIVATE}`;
/** What a resolver says of a name that there is not. */
const UNKNOWN = new Set(["ENOTFOUND", "ENODATA", "EAI_NODATA", "EAI_NONAME", "DNS_ENOTFOUND", "DNS_ENODATA"]);

async function lookUpAddresses(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "no answer";
    throw new TargetError(UNKNOWN.has(code) ? unreachable(name) : `${name} cannot be looked up: ${code}`, {
      cause,
    });
  }
}
