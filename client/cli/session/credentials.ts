import { join } from "node:path";
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

/** Where credentials are kept: the system's key ring, or a file. */
export interface CredentialStore {
  readonly place: string;
  get(context: string): Promise<Credential | undefined>;
  set(context: string, credential: Credential): Promise<void>;
  delete(context: string): Promise<void>;
}

const SERVICE = "berth";
const FILE = "credentials.json";

/** The key ring where the system has one (Keychain, Secret Service), else a file that only its owner can read. */
export async function credentialStore(env: Io["env"]): Promise<CredentialStore> {
  if (env.BERTH_KEYRING === "off") return fileStore(env);
  try {
    await Bun.secrets.get({ service: SERVICE, name: "probe" });
    return keyRing;
  } catch {
    return fileStore(env);
  }
}

const keyRing: CredentialStore = {
  place: "the system's key ring",
  async get(name) {
    const text = await Bun.secrets.get({ service: SERVICE, name });
    return text === null ? undefined : (JSON.parse(text) as Credential);
  },
  async set(name, credential) {
    await Bun.secrets.set({ service: SERVICE, name, value: JSON.stringify(credential) });
  },
  async delete(name) {
    await Bun.secrets.delete({ service: SERVICE, name });
  },
};

function fileStore(env: Io["env"]): CredentialStore {
  const file = join(configFolder(env), FILE);
  const read = async () => (await readJson<Record<string, Credential>>(file)) ?? {};
  return {
    place: `${file}, which only you can read`,
    get: async (context) => (await read())[context],
    set: async (context, credential) => writePrivate(env, FILE, { ...(await read()), [context]: credential }),
    async delete(context) {
      const { [context]: _deleted, ...others } = await read();
      await writePrivate(env, FILE, others);
    },
  };
}
