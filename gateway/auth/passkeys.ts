import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Passkey } from "../../actors/accounts/account/factors/rules.ts";
import type { PasskeyAssertion, PasskeyRegistration } from "../../schemas/accounts/second-factor.ts";
import { DomainError } from "../../schemas/errors.ts";

const NAME = "Berth";

/** Two hundred modules, which a gateway loads when the first passkey is asked for. */
const library = () => import("@simplewebauthn/server");

/** Where passkeys are good: WebAuthn binds them to a host name. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * The relying party of an installation. Browsers refuse addresses without a name, so that of this machine is taken as `localhost`.
 *
 * @returns null: browsers reach the installation by a number, where no passkey is possible
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, protocol, port } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLoopback = host === "::1" || host.startsWith("127.");
  if (isIP(host) !== 0 && !isLoopback) return null;
  const id = isIP(host) === 0 ? host : "localhost";
  return { id, origin: `${protocol}//${id}${port === "" ? "" : `:${port}`}` };
}

/** What the browser signs in with. @param passkeys those of one account; undefined: whichever the browser has */
export const assertionOptions = async (party: RelyingParty, nonce: string, passkeys?: readonly Passkey[]) =>
  (await library()).generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(nonce, "base64url")),
    // A passkey that signs in by itself must know its person; beside a password it is enough that it is there.
    userVerification: passkeys === undefined ? "required" : "preferred",
    ...(passkeys === undefined ? {} : { allowCredentials: passkeys.map(descriptorOf) }),
  });

/** The account as a passkey knows it. One that signs in by itself names it (WebAuthn §7.2). */
const userHandle = (userId: string) => new Uint8Array(Buffer.from(userId));
export const userHandleOf = (userId: string): string => Buffer.from(userHandle(userId)).toString("base64url");

/** What the browser makes a passkey with. */
export const registrationOptions = async (
  party: RelyingParty,
  nonce: string,
  user: { readonly id: string; readonly username: string; readonly passkeys: readonly Passkey[] },
) =>
  (await library()).generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userID: userHandle(user.id),
    userName: user.username,
    challenge: new Uint8Array(Buffer.from(nonce, "base64url")),
    excludeCredentials: user.passkeys.map(descriptorOf),
    // So that it is found without a user name, and knows its person.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });

/** The counter of a passkey after it has signed; undefined where it has not. @param alone without a password */
export async function verifyAssertion(
  party: RelyingParty,
  nonce: string,
  { id, publicKey, counter, credentialId }: Passkey,
  assertion: PasskeyAssertion,
  alone: boolean,
): Promise<{ passkey_id: string; counter: number } | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response: { clientExtensionResults: {}, ...assertion } as unknown as AuthenticationResponseJSON,
    expectedChallenge: nonce,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter },
    requireUserVerification: alone,
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  return { passkey_id: id, counter: verified.authenticationInfo.newCounter };
}

/** A new passkey's key. @throws PASSKEY_INVALID */
export async function verifyRegistration(party: RelyingParty, nonce: string, made: PasskeyRegistration) {
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: { clientExtensionResults: {}, ...made } as unknown as RegistrationResponseJSON,
    expectedChallenge: nonce,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch((error: Error) => {
    throw invalidPasskey(error.message);
  });
  if (!verified.verified) throw invalidPasskey("its signature is wrong");
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: [...(made.response.transports ?? [])],
    synced: credentialBackedUp,
  };
}

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
});

const invalidPasskey = (why: string) =>
  new DomainError("PASSKEY_INVALID", `The passkey cannot be registered: ${why}`);
