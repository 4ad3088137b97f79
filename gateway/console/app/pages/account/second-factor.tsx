import { useState } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { SECOND_FACTOR_KEY, useSecondFactor } from "../../lib/second-factor.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { PasskeysSection } from "./passkeys.tsx";
import { PROVEN_FIELDS, ProvenFields, proofInCommand, provenBy, type Status } from "./proven.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { AccountHead } from "./tabs.tsx";
import { TotpSection } from "./totp.tsx";

/** Codes of an app, passkeys and recovery codes of one's account. */
export default function SecondFactorPage() {
  return (
    <>
      <AccountHead />
      <SecondFactors />
    </>
  );
}

/** @param onKept called when the recovery codes of a first second factor were kept */
export function SecondFactors({ onKept }: { onKept?: () => void }) {
  const query = useSecondFactor();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <>
      <Loaded query={query} rows={6}>
        {(status) => (
          <>
            {!status.enabled && (
              <p className="hint">
                With a second factor your password alone does not sign in. Your other sessions end when you
                set up the first one.
              </p>
            )}
            <TotpSection status={status} onCodes={setCodes} />
            <PasskeysSection status={status} onCodes={setCodes} />
            {status.enabled && <RecoverySection status={status} onCodes={setCodes} />}
          </>
        )}
      </Loaded>
      {codes !== null && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(null);
            onKept?.();
          }}
        />
      )}
    </>
  );
}

function RecoverySection({
  status,
  onCodes,
}: {
  status: Status;
  onCodes: (codes: readonly string[]) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Recovery codes"
      actions={<Button onPress={() => setOpen(true)}>Replace the recovery codes</Button>}
    >
      <p>
        {plural(status.recovery_codes_left, "code is", "codes are")} left. Each signs in once in place of your
        second factor.
      </p>
      {isOpen && (
        <Dialog title="Replace the recovery codes?" onClose={() => setOpen(false)}>
          <Form
            submit="Replace them"
            fieldOf={PROVEN_FIELDS}
            onSubmit={async (values) => {
              const body = await provenBy(values, status);
              await perform(
                "The former recovery codes are no longer good",
                async () => {
                  const made = await dataOf(api.POST("/api/v1/auth/second-factor/recovery-codes", { body }));
                  onCodes(made.recovery_codes);
                },
                SECOND_FACTOR_KEY,
              );
              setOpen(false);
            }}
            command={() => ({
              method: "POST",
              path: "/api/v1/auth/second-factor/recovery-codes",
              body: proofInCommand(status),
              berth: null,
            })}
          >
            <p>Those that are left are no longer good.</p>
            <ProvenFields status={status} autoFocus />
          </Form>
        </Dialog>
      )}
    </Section>
  );
}
