import { readFile } from "node:fs/promises";
import type { GatewayContext } from "../context.ts";

/** Anything else of the file, such as a key that was put there by mistake, is not given away. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities that have signed the certificates of hosts' edges, in PEM. The file is read at each request: a host that starts
 * for the first time writes it later than the gateway starts.
 */
export const edgeAuthorityReader =
  (file: string | undefined): GatewayContext["readEdgeAuthority"] =>
  async () => {
    if (file === undefined) return undefined;
    const text = await readFile(file, "utf8").catch(() => "");
    const certificates = text.match(CERTIFICATE);
    return certificates === null ? undefined : `${certificates.join("\n")}\n`;
  };
