import { Agent } from "node:https";
import type { Challenge } from "../../../schemas/hosting/certificate.ts";

/** The first poll of an order, and the longest pause between two: an authority checks a proof within seconds. */
const POLL = { backoffMin: 500, backoffMax: 10_000, backoffAttempts: 20 };

export interface AuthoritySettings {
  readonly directoryUrl: string;
  readonly email: string | undefined;
  /** PEM of the root of an authority that is not a public one. */
  readonly root: string | undefined;
}

/** How the control of a name is proven to the authority. */
export interface Proof {
  readonly type: "http-01" | "dns-01";
  /** Makes the proof visible. Of `dns-01`, `token` is the name of the TXT record and `key_authorization` its value. */
  publish(challenge: Challenge): Promise<void>;
  withdraw(challenge: Challenge): Promise<void>;
}

export interface IssuedCertificate {
  readonly chain: string;
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A client of an ACME authority (RFC 8555) with a registered account. */
export interface Authority {
  /** Orders a certificate for one name, with a new key. @throws Error with the authority's reason */
  order(name: string, proof: Proof): Promise<IssuedCertificate>;
}

/** Loaded with the first order: few installations need it. */
const library = () => import("acme-client");

export const newAccountKey = async (): Promise<string> =>
  String(await (await library()).crypto.createPrivateEcdsaKey());

/** An authority that takes longer is as good as away. */
const DIRECTORY_MS_MAX = 10_000;

/**
 * Asks for the directory of an authority (RFC 8555, section 7.1.1).
 *
 * @throws Error with one line that has the URL and the cause, when it does not answer or is none
 */
export async function checkDirectory(url: string, root: string | undefined): Promise<void> {
  const fault = (reason: string, cause?: unknown) =>
    new Error(`the ACME authority ${url} ${reason}`, { cause });
  const response = await fetch(url, {
    signal: AbortSignal.timeout(DIRECTORY_MS_MAX),
    ...(root === undefined ? {} : { tls: { ca: root } }),
  }).catch((cause: Error) => {
    throw fault(`cannot be reached: ${cause.message}`, cause);
  });
  if (!response.ok) throw fault(`answers ${response.status}: it is no ACME directory`);
  const directory = (await response.json().catch(() => null)) as { newOrder?: unknown } | null;
  if (typeof directory?.newOrder !== "string") throw fault("is no ACME directory: it names no newOrder");
}

/** Registers the account, or finds it. @throws Error when the authority does not answer or refuses it */
export async function openAuthority(
  { directoryUrl, email, root }: AuthoritySettings,
  accountKey: string,
): Promise<Authority> {
  await checkDirectory(directoryUrl, root);
  const acme = await library();
  if (root !== undefined) acme.axios.defaults.httpsAgent = new Agent({ ca: root });
  const client = new acme.Client({ directoryUrl, accountKey, ...POLL });
  const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
  await client.createAccount({ termsOfServiceAgreed: true, ...contact }).catch((cause: Error) => {
    throw new Error(`the ACME authority ${directoryUrl} refuses the account: ${cause.message}`, { cause });
  });

  async function prove(order: Awaited<ReturnType<typeof client.createOrder>>, proof: Proof): Promise<void> {
    for (const authorization of await client.getAuthorizations(order)) {
      // The authority remembers an earlier proof for some time.
      if (authorization.status === "valid") continue;
      const offered = authorization.challenges.find(({ type }) => type === proof.type);
      if (offered === undefined) throw new Error(`the authority offers no ${proof.type} for this name`);
      const answer = await client.getChallengeKeyAuthorization(offered);
      const token =
        proof.type === "http-01" ? offered.token : `_acme-challenge.${authorization.identifier.value}`;
      const challenge = { token, key_authorization: answer };
      try {
        await proof.publish(challenge);
        await client.completeChallenge(offered);
        await client.waitForValidStatus(offered);
      } finally {
        await proof.withdraw(challenge);
      }
    }
  }

  return {
    async order(name, proof) {
      const order = await client.createOrder({ identifiers: [{ type: "dns", value: name }] });
      await prove(order, proof);
      const key = await acme.crypto.createPrivateEcdsaKey();
      const [, request] = await acme.crypto.createCsr({ commonName: name, altNames: [name] }, key);
      const chain = await client.getCertificate(await client.finalizeOrder(order, request));
      const { notBefore, notAfter } = acme.crypto.readCertificateInfo(chain);
      return { chain, key: String(key), notBefore, notAfter };
    },
  };
}
