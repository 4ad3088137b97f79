import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { canUsePasskeys, usePasskey } from "../../lib/passkeys.ts";
import { Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";
import { CurrentPassword } from "./current-password.tsx";

export type Status = Schemas["SecondFactorStatus"];
type Proven = Schemas["Proven"];

/** Where refusals of what was proven belong. */
export const PROVEN_FIELDS = { WRONG_PASSWORD: "current_password", SECOND_FACTOR_WRONG: "code" };

const hasPasskeyHere = ({ passkeys }: Status): boolean => passkeys.length > 0 && canUsePasskeys();

/** What a change of the account's second factors takes: the password, and the second factor where there is one. */
export const ProvenFields = ({ status, autoFocus = false }: { status: Status; autoFocus?: boolean }) => (
  <>
    <CurrentPassword autoFocus={autoFocus} />
    {status.enabled && (
      <Field
        label={status.totp ? "Code of your app, or a recovery code" : "Recovery code"}
        name="code"
        autoComplete="one-time-code"
        maxLength={40}
        isRequired={!hasPasskeyHere(status)}
        {...(hasPasskeyHere(status) ? { hint: "Leave it empty to use a passkey." } : {})}
      />
    )}
  </>
);

/** The same in a command that is shown: nobody's password stands on a page. */
export const proofInCommand = ({ enabled }: Status) => ({
  current_password: "…",
  ...(enabled ? { code: "…" } : {}),
});

/** The body of a form with `ProvenFields`. Without a code the browser asks for a passkey. */
export async function provenBy(
  { current_password = "", code = "" }: Values,
  status: Status,
): Promise<Proven> {
  if (code !== "") return { current_password, code };
  if (!status.enabled) return { current_password };
  const { challenge, options } = await dataOf(api.POST("/api/v1/auth/second-factor/challenge"));
  return { current_password, challenge, passkey: await usePasskey(options) };
}
