import type { Schemas } from "./api.ts";

export type Assertion = Schemas["PasskeyAssertion"];
export type Registration = Schemas["PasskeyRegistration"];
type Options = Record<string, unknown>;

/** Browsers know passkeys in secure contexts, and bind them to a host name: an address of numbers has none. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext &&
  window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** Has the browser sign a challenge by a passkey. */
export const usePasskey = (options: Options): Promise<Assertion> =>
  asked(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never),
    }),
  ) as Promise<Assertion>;

/** Has the browser make a passkey. */
export const makePasskey = (options: Options): Promise<Registration> =>
  asked(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never),
    }),
  ) as Promise<Registration>;

/** The browser's own words for a dialog that was closed are of no use to anybody. */
async function asked(work: () => Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await work()) as PublicKeyCredential).toJSON();
  } catch (error) {
    if (error instanceof Error && error.name === "InvalidStateError")
      throw new Error("This device has a passkey of this account already.");
    throw new Error("No passkey was used. Try again, or take another way.");
  }
}
