import { join } from "node:path";
import { BerthError } from "../../errors.ts";
import { createClient } from "../../index.ts";
import { NotSignedIn, UsageError } from "../failures.ts";
import type { Io } from "../io.ts";
import { type Context, configFolder, DEFAULT_URL, readConfig, writeConfig } from "./config.ts";
import { type Credential, CredentialStore } from "./credentials.ts";
import { withLock } from "./lock.ts";

/** An access token that would expire while a request is on its way is exchanged before. */
const EXPIRY_MARGIN_MS = 60_000;

type SignedIn = { access_token: string; refresh_token: string; expires_in: number };

/** Which control plane a command talks to, and as whom. */
export class Session {
  readonly store: CredentialStore;
  #context: Promise<{ name: string; context: Context }> | undefined;

  constructor(
    readonly io: Io,
    /** The context that the command line names. */
    readonly chosen: () => string | undefined,
  ) {
    this.store = new CredentialStore(io.env);
  }

  /** @throws UsageError for a context that nobody has added */
  context(): Promise<{ name: string; context: Context }> {
    this.#context ??= this.#readContext();
    return this.#context;
  }

  /** The token for the next request. @throws NotSignedIn */
  async token(): Promise<string> {
    if (this.io.env.BERTH_TOKEN) return this.io.env.BERTH_TOKEN;
    const { name } = await this.context();
    const known = await this.store.get(name);
    if (known === undefined) throw new NotSignedIn("you are not signed in: run `berth login`");
    if (known.type === "api_token") return known.token;
    if (isFresh(known)) return known.access_token;
    // Only the newest refresh token is valid: two commands must not exchange the same one.
    return withLock(join(configFolder(this.io.env), "refresh.lock"), () => this.#refresh(name));
  }

  /** Keeps what a sign-in gave, and makes its context the present one. @returns where the credential is */
  async keep(name: string, context: Context, credential: Credential) {
    const config = await readConfig(this.io.env);
    const contexts = { ...config.contexts, [name]: context };
    await writeConfig(this.io.env, { current: name, contexts });
    return this.store.set(name, credential);
  }

  async forget(): Promise<void> {
    await this.store.delete((await this.context()).name);
  }

  async #refresh(name: string): Promise<string> {
    const known = await this.store.get(name);
    if (known?.type !== "session") throw new NotSignedIn("you are not signed in: run `berth login`");
    if (isFresh(known)) return known.access_token;
    const client = createClient({ url: (await this.context()).context.url });
    try {
      const { data } = await client.POST("/api/v1/auth/refresh", {
        body: { refresh_token: known.refresh_token },
      });
      if (data === undefined) throw new NotSignedIn("the sign-in could not be renewed");
      await this.#keepRenewed(name, sessionCredential(data.data));
      return data.data.access_token;
    } catch (error) {
      if (!(error instanceof BerthError) || error.status !== 401) throw error;
      await this.store.delete(name);
      throw new NotSignedIn("your sign-in has ended: run `berth login`");
    }
  }

  /** Says it where a credential has to leave the key ring. */
  async #keepRenewed(name: string, credential: Credential): Promise<void> {
    const wasInRing = await this.store.isInRing(name);
    const { place, reason } = await this.store.set(name, credential);
    if (wasInRing && reason !== "") this.io.err(`Your sign-in is in ${place}, now: ${reason}.\n`);
  }

  /** The command line outranks the environment, which outranks the file. A URL never gets another context's credential. */
  async #readContext() {
    const { current, contexts } = await readConfig(this.io.env);
    const { BERTH_URL: url, BERTH_CA: ca, BERTH_CONTEXT } = this.io.env;
    const chosen = this.chosen();
    const byUrl = Object.keys(contexts).find((name) => contexts[name]?.url === url);
    const name = chosen ?? (url ? (byUrl ?? new URL(url).host) : BERTH_CONTEXT || current);
    const known = contexts[name];
    if (known === undefined && chosen !== undefined)
      throw new UsageError(`there is no context "${name}": \`berth context list\` shows those there are`);
    const context = known ?? { url: url || DEFAULT_URL };
    return { name, context: ca ? { ...context, ca } : context };
  }
}

const isFresh = ({ expires_at }: { expires_at: number }) => expires_at - Date.now() > EXPIRY_MARGIN_MS;

export const sessionCredential = ({ access_token, refresh_token, expires_in }: SignedIn): Credential => ({
  type: "session",
  access_token,
  refresh_token,
  expires_at: Date.now() + expires_in * 1_000,
});
