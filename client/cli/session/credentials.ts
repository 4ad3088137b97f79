import { join } from "node:path";
import { NotSignedIn } from "../failures.ts";
import type { Io } from "../io.ts";
import { configFolder, readJson, writePrivate } from "./config.ts";

/** What signs the requests of a context. */
export type Credential =
  | { readonly type: "api_token"; readonly token: string }
  | {
      readonly type: "session";
      readonly access_token: string;
      readonly refresh_token: string;
      /** When the access token expires, in milliseconds since 1970. */
      readonly expires_at: number;
    };

/** In the place of a credential that the system's key ring has. */
type Entry = Credential | { readonly type: "key_ring" };

const SERVICE = "berth";
const FILE = "credentials.json";
const IN_RING = "the system's key ring";

/**
 * Credentials by their contexts: in the system's key ring (Keychain, Secret Service), or where there is none or it is locked, in a file
 * that only its owner can read. The file says which of them the key ring has, so that no other command waits for it.
 */
export class CredentialStore {
  readonly #file: string;
  readonly #withRing: boolean;

  constructor(readonly env: Io["env"]) {
    this.#file = join(configFolder(env), FILE);
    this.#withRing = env.BERTH_KEYRING !== "off";
  }

  /** Undefined for a context without one. @throws NotSignedIn where the key ring does not give it */
  async get(name: string): Promise<Credential | undefined> {
    const entry = (await this.#entries())[name];
    if (entry?.type !== "key_ring") return entry;
    if (!this.#withRing) return undefined;
    const text = await Bun.secrets.get({ service: SERVICE, name }).catch(() => null);
    if (text !== null) return JSON.parse(text) as Credential;
    throw new NotSignedIn(`${IN_RING} does not give your sign-in: unlock it, or run \`berth login\``);
  }

  /** @returns where the credential is now, for a person; the second part is why it is in no better place */
  async set(name: string, credential: Credential): Promise<{ place: string; reason: string }> {
    if (this.#withRing && (await keepInRing(name, credential))) {
      await this.#write(name, { type: "key_ring" });
      return { place: IN_RING, reason: "" };
    }
    await this.#write(name, credential);
    const reason = this.#withRing ? `${IN_RING} is locked or there is none` : "";
    return { place: `${this.#file}, which only you can read`, reason };
  }

  async delete(name: string): Promise<void> {
    const { [name]: deleted, ...others } = await this.#entries();
    if (deleted?.type === "key_ring" && this.#withRing)
      await Bun.secrets.delete({ service: SERVICE, name }).catch(() => undefined);
    await writePrivate(this.env, FILE, others);
  }

  isInRing = async (name: string): Promise<boolean> => (await this.#entries())[name]?.type === "key_ring";

  #entries = async () => (await readJson<Record<string, Entry>>(this.#file)) ?? {};

  async #write(name: string, entry: Entry): Promise<void> {
    await writePrivate(this.env, FILE, { ...(await this.#entries()), [name]: entry });
  }
}

/** A key ring that can be read may still be locked, or have no collection. Only storing a value shows whether it works. */
const keepInRing = (name: string, credential: Credential): Promise<boolean> =>
  Bun.secrets.set({ service: SERVICE, name, value: JSON.stringify(credential) }).then(
    () => true,
    () => false,
  );
