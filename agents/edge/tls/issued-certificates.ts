import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "pino";
import {
  HOST_NAMES_MAX,
  type HostCertificate,
  type HostCertificatesQuery,
  HostCertificatesReply,
} from "../../../schemas/hosting/certificate.ts";
import { writeAtomically } from "../../../system/atomic-file.ts";
import { BoundedMap } from "../../../system/bounded-map.ts";
import type { KeyAndChain } from "../../../system/certificate-files.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import { SingleFlight } from "../../../system/single-flight.ts";

/** How often the names are looked at; the control plane is asked less often, unless a certificate is on its way. */
const INTERVAL_MS = 2_000;
const REFRESH_MS = 60_000;
/** While there is an authority, and no certificate for all names yet. */
const LACKING_MS = 15_000;
/** After the control plane did not reply, which is nothing that a host has to report. */
const RETRY_MS = 5_000;
/** Below the time that a client has for its handshake and its first header. */
const HANDSHAKE_WAIT_MS = 10_000;
const HANDSHAKE_POLL_MS = 300;
/** Handshakes of this many names wait at once; others get the edge's own certificate. */
const WAITING_NAMES_MAX = 32;
/** A name without a certificate is not asked for again within this time. */
const ABSENT_MS = 60_000;
const ABSENT_MAX = 5_000;
/** Challenges that are asked for at once, and tokens that nobody waits for. */
const CHALLENGES_MAX = 16;
const UNKNOWN_TOKEN_MS = 10_000;
const UNKNOWN_TOKENS_MAX = 1_000;

/** A certificate as a TLS handshake takes it. */
export type TlsContext = object;

const Stored = Type.Object({ name: Type.String(), key: Type.String(), chain: Type.String() });

export interface IssuedCertificatesOptions {
  /** The folder of the files, one for each name. */
  readonly folder: string;
  /** `*.<server>.<domain>`; undefined where the operator has given a certificate for it. */
  readonly wildcard: string | undefined;
  /** Whether a single name leads to something on this host. */
  isNameHere(name: string): boolean;
  /** Sends a query to the control plane; rejects while it cannot be reached. */
  ask(query: string): Promise<string>;
  /** There is a certificate for all names of this host. */
  onWildcard(certificate: KeyAndChain): void;
  readonly log: Logger;
}

/**
 * Certificates that the control plane has for names of this host: in memory for the edge's handshakes, and in files for a start without a
 * control plane.
 */
export class IssuedCertificates {
  readonly #held = new Map<string, KeyAndChain & { readonly context: TlsContext }>();
  readonly #absent = new BoundedMap<string, number>(ABSENT_MAX);
  readonly #unknownTokens = new BoundedMap<string, number>(UNKNOWN_TOKENS_MAX);
  readonly #waiting = new SingleFlight<string, TlsContext | undefined>();
  #challenges = 0;
  #isOn = false;
  #nextAskMs = 0;

  constructor(private readonly options: IssuedCertificatesOptions) {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    for (const file of readdirSync(options.folder)) this.#load(join(options.folder, file));
  }

  /** The certificate for all names of the host; undefined until there is one. */
  get wildcard(): KeyAndChain | undefined {
    return this.options.wildcard === undefined ? undefined : this.#held.get(this.options.wildcard);
  }

  /** The certificate of a single name. */
  contextOf(name: string): TlsContext | undefined {
    return this.#held.get(name)?.context;
  }

  /** Waits for the certificate of a name that leads here. Undefined where there is nothing to wait for. */
  await(name: string): Promise<TlsContext | undefined> | undefined {
    const isCovered =
      this.wildcard !== undefined && name.slice(name.indexOf(".")) === this.options.wildcard?.slice(1);
    if (!this.#isOn || isCovered || isRecent(this.#absent, name, ABSENT_MS)) return undefined;
    const isFull = this.#waiting.size >= WAITING_NAMES_MAX && !this.#waiting.has(name);
    if (isFull || !this.options.isNameHere(name)) return undefined;
    return this.#waiting.run(name, () => this.#wait(name));
  }

  /** The answer to a challenge of the authority; null if no order of the control plane waits for it. */
  async answerTo(token: string): Promise<string | null> {
    if (this.#challenges >= CHALLENGES_MAX || isRecent(this.#unknownTokens, token, UNKNOWN_TOKEN_MS))
      return null;
    this.#challenges += 1;
    try {
      const { key_authorization } = await this.#ask({ names: [], token });
      if (key_authorization === null) this.#unknownTokens.set(token, performance.now());
      return key_authorization;
    } catch {
      return null;
    } finally {
      this.#challenges -= 1;
    }
  }

  /** Asks the control plane for new certificates, and drops those of names that lead here no longer. */
  reconciler(): Reconciler {
    return {
      name: "issued-certificates",
      intervalMs: INTERVAL_MS,
      reconcile: () =>
        this.#refresh().catch((error) => {
          this.#nextAskMs = performance.now() + RETRY_MS;
          this.options.log.debug({ err: error }, "the control plane did not say which certificates it has");
        }),
    };
  }

  async #refresh(): Promise<void> {
    if (performance.now() < this.#nextAskMs) return;
    const { wildcard } = this.options;
    const names = [...new Set([...(wildcard === undefined ? [] : [wildcard]), ...this.#held.keys()])];
    let isPending = false;
    for (let at = 0; at < Math.max(names.length, 1); at += HOST_NAMES_MAX) {
      const asked = names.slice(at, at + HOST_NAMES_MAX).map((name) => this.#query(name, false));
      for (const certificate of (await this.#ask({ names: asked, token: null })).certificates) {
        isPending ||= certificate.state === "pending";
        await this.#take(certificate);
      }
    }
    const isLacking = this.#isOn && wildcard !== undefined && this.wildcard === undefined;
    this.#nextAskMs = performance.now() + (isPending ? 0 : isLacking ? LACKING_MS : REFRESH_MS);
  }

  async #wait(name: string): Promise<TlsContext | undefined> {
    const until = performance.now() + HANDSHAKE_WAIT_MS;
    while (performance.now() < until) {
      const reply = await this.#ask({ names: [this.#query(name, true)], token: null }).catch(() => undefined);
      const certificate = reply?.certificates[0];
      if (certificate === undefined || certificate.state === "none") break;
      await this.#take(certificate);
      const context = this.contextOf(name);
      if (context !== undefined) return context;
      await Bun.sleep(HANDSHAKE_POLL_MS);
    }
    this.#absent.set(name, performance.now());
    return undefined;
  }

  async #take({ name, state, chain, key }: HostCertificate): Promise<void> {
    if (state === "none" && this.#held.delete(name)) rmSync(this.#fileOf(name), { force: true });
    if (state !== "issued" || chain === undefined || key === undefined || !this.#hold({ name, chain, key }))
      return;
    this.#absent.delete(name);
    await writeAtomically(this.#fileOf(name), JSON.stringify({ name, chain, key }));
    this.options.log.info({ name }, "the control plane has a new certificate for this host");
    if (name === this.options.wildcard) this.options.onWildcard({ chain, key });
  }

  /** False for one that cannot be used. */
  #hold({ name, chain, key }: { name: string } & KeyAndChain): boolean {
    try {
      const certificate = new X509Certificate(chain);
      if (!certificate.checkPrivateKey(createPrivateKey(key)) || certificate.validToDate < new Date())
        return false;
      const { context } = createSecureContext({ key, cert: chain });
      this.#held.set(name, { chain, key, context });
      return true;
    } catch (error) {
      this.options.log.warn({ err: error, name }, "a certificate cannot be used");
      return false;
    }
  }

  #load(file: string): void {
    try {
      const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (Value.Check(Stored, stored) && this.#hold(stored)) return;
    } catch {
      // Written again once the control plane has replied.
    }
    rmSync(file, { force: true });
  }

  async #ask(query: HostCertificatesQuery): Promise<HostCertificatesReply> {
    const reply: unknown = JSON.parse(await this.options.ask(JSON.stringify(query)));
    if (!Value.Check(HostCertificatesReply, reply)) throw new Error("the reply has another form");
    this.#isOn = reply.is_on;
    return reply;
  }

  #query(name: string, wanted: boolean): HostCertificatesQuery["names"][number] {
    const held = this.#held.get(name);
    const have = held === undefined ? null : createHash("sha256").update(held.chain).digest("hex");
    return { name, have, wanted };
  }

  #fileOf(name: string): string {
    return join(this.options.folder, `${name}.json`);
  }
}

const isRecent = (times: ReadonlyMap<string, number>, key: string, withinMs: number): boolean =>
  performance.now() - (times.get(key) ?? Number.NEGATIVE_INFINITY) < withinMs;
