import { readFile } from "node:fs/promises";
import "../../system/native-signatures.ts";
import { decode, fmtCreds, fromSeed, parseCreds } from "@nats-io/jwt";
import { type Authenticator, jwtAuthenticator } from "nats";
import { writeAtomically } from "../../system/atomic-file.ts";
import { ControlPlaneError } from "./control-plane-error.ts";

/** A credential of NATS in a file, in the form of its own tools: a JWT and the private key that it is for. */
export class HostCredentialFile {
  #jwt: string;

  private constructor(
    private readonly path: string,
    private readonly seed: string,
    jwt: string,
  ) {
    this.#jwt = jwt;
  }

  /** @throws ControlPlaneError when the file cannot be read, or holds something else */
  static async open(path: string): Promise<HostCredentialFile> {
    try {
      const { key, jwt } = await parseCreds(await readFile(path));
      return new HostCredentialFile(path, key, jwt);
    } catch (cause) {
      throw new ControlPlaneError(
        `${path}, which NATS_URL names, holds no credential of NATS: join this host again (berth agent join)`,
        { cause },
      );
    }
  }

  /** Shows the newest credential at each connection. */
  get authenticator(): Authenticator {
    return jwtAuthenticator(() => this.#jwt, new TextEncoder().encode(this.seed));
  }

  /** Milliseconds from now until two thirds of the credential's life are left, or zero. */
  renewInMs(nowMs: number = Date.now()): number {
    const { iat, exp } = decode(this.#jwt);
    const lifetimeMs = ((exp ?? iat) - iat) * 1_000;
    return Math.max(0, iat * 1_000 + lifetimeMs / 3 - nowMs);
  }

  /** Uses a new credential from the next connection on. @throws Error when it is for another key */
  async renew(jwt: string): Promise<void> {
    const pair = fromSeed(new TextEncoder().encode(this.seed));
    if (decode(jwt).sub !== pair.getPublicKey()) throw new Error("the new credential is for another key");
    await writeAtomically(this.path, new TextDecoder().decode(fmtCreds(jwt, pair)));
    this.#jwt = jwt;
  }
}
