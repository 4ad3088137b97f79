import type { JSONWebKeySet } from "jose";
import { urlHost } from "../../system/listen-address.ts";
import { listenFailure } from "../../system/listen-failure.ts";
import { portObstacle } from "../../system/port-obstacle.ts";
import { SettingError } from "../../system/setting-error.ts";

/** A gateway replies from memory, within milliseconds; a busy one within a second. */
const REPLY_MS_MAX = 2_000;

/** Where a gateway is about to listen, and the public keys of its installation. */
interface OwnPort {
  readonly port: number;
  readonly hostname: string;
  readonly keys: JSONWebKeySet;
}

/**
 * Refuses a port that another program has. The kernel would let gateways share it, whoever they are, and give each a part of the
 * connections; that is wanted among the gateways of one installation alone, as while one replaces the other.
 *
 * @returns whether gateways of this installation listen there already
 * @throws SettingError with one line that names the setting
 */
export async function sharesPort({ port, hostname, keys }: OwnPort): Promise<boolean> {
  const obstacle = await portObstacle(port, hostname);
  if (obstacle === undefined) return false;
  if (obstacle !== "EADDRINUSE")
    throw listenFailure("BERTH_PORT", [port], { code: obstacle, message: obstacle });
  const found = await keysAt(`http://${urlHost(hostname)}:${port}/.well-known/jwks.json`);
  if (found === undefined) throw listenFailure("BERTH_PORT", [port], { code: obstacle, message: obstacle });
  if (found.some(({ kid }) => keys.keys.some((own) => own.kid === kid))) return true;
  throw new SettingError(
    `port ${port} (BERTH_PORT): a gateway of another installation listens there, with another BERTH_SIGNING_KEY_FILE: give another port, or the key of the installation`,
  );
}

/** The public keys of the gateway at a URL; undefined when there is another program. */
async function keysAt(url: string): Promise<JSONWebKeySet["keys"] | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REPLY_MS_MAX), redirect: "manual" });
    const { keys } = (await response.json()) as Partial<JSONWebKeySet>;
    return Array.isArray(keys) ? keys.filter((key) => typeof key?.kid === "string") : undefined;
  } catch {
    return undefined;
  }
}
