import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "../../../system/public-address.ts";
import { PullError } from "./pull-error.ts";

/**
 * Keeps customers from using the agent to reach what only the host reaches: of a reference, of a registry's redirects and of its
 * token servers, the host is the choice of strangers.
 */

/** @throws PullError when a URL is not one of TLS on the internet */
export async function assertPublicUrl(url: URL): Promise<void> {
  if (url.protocol !== "https:")
    throw new PullError(
      `${url.host} is reached without TLS; an operator may allow that (BERTH_LOCAL_REGISTRIES)`,
    );
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // What it finds is checked, and the certificate is the name's: another answer to the next question does not lead further.
  const found = isIP(host) ? [host] : await addressesOf(host);
  if (!found.every(isPublicAddress))
    throw new PullError(
      `${url.host} has an address of a private network; an operator may allow that (BERTH_LOCAL_REGISTRIES)`,
    );
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new PullError(`${host} cannot be found: ${(cause as NodeJS.ErrnoException).code ?? "no answer"}`, {
      cause,
    });
  }
}
