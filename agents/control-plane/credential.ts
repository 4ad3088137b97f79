import { readFileSync } from "node:fs";
import "../../system/native-signatures.ts";
import { decode, fmtCreds, fromSeed, parseCreds } from "@nats-io/jwt";
import { type Authenticator, credsAuthenticator } from "nats";
import { writeAtomically } from "../../system/atomic-file.ts";
import { ControlPlaneError } from "./control-plane-error.ts";

/**
 * A credential of NATS in a file, in the form of its own tools: a JWT and the private key that it is for. The machine may join again
 * while its agent runs, which replaces both.
 */
export class HostCredentialFile {
  private constructor(
    private readonly path: string,
    private creds: Uint8Array,
    private jwt: string,
    private seed: string,
  ) {}

  /** @throws ControlPlaneError when the file cannot be read, or holds something else */
  static async open(path: string): Promise<HostCredentialFile> {
    try {
      const creds = readFileSync(path);
      const { key, jwt } = await parseCreds(creds);
      return new HostCredentialFile(path, creds, jwt, key);
    } catch (cause) {
      throw new ControlPlaneError(
        `${path}, which NATS_URL names, holds no credential of NATS: join this host again (berth agent join)`,
        { cause },
      );
    }
  }

  /** Shows what the file holds at each connection. */
  get authenticator(): Authenticator {
    return (nonce) => {
      try {
        const creds = readFileSync(this.path);
        const shown = credsAuthenticator(creds)(nonce);
        this.creds = creds;
        return shown;
      } catch {
        // The file was removed or holds something else: the last good one counts.
        return credsAuthenticator(this.creds)(nonce);
      }
    };
  }

  /** Takes what `berth agent join` has written. A file that holds no credential is left alone. */
  async #reload(): Promise<void> {
    const { key, jwt } = await parseCreds(readFileSync(this.path));
    this.seed = key;
    this.jwt = jwt;
  }

  /** Milliseconds from now until two thirds of the credential's life are left, or zero. */
  renewInMs(nowMs: number = Date.now()): number {
    const { iat, exp } = decode(this.jwt);
    const lifetimeMs = ((exp ?? iat) - iat) * 1_000;
    return Math.max(0, iat * 1_000 + lifetimeMs / 3 - nowMs);
  }

  /** Uses a new credential from the next connection on. @throws Error when it is for another key */
  async renew(jwt: string): Promise<void> {
    await this.#reload();
    const pair = fromSeed(new TextEncoder().encode(this.seed));
    if (decode(jwt).sub !== pair.getPublicKey()) throw new Error("the new credential is for another key");
    await writeAtomically(this.path, new TextDecoder().decode(fmtCreds(jwt, pair)));
    this.jwt = jwt;
  }
}
