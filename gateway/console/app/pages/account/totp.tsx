import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDate } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { SECOND_FACTOR_KEY } from "../../lib/second-factor.ts";
import { Button } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { PROVEN_FIELDS, ProvenFields, proofInCommand, provenBy, type Status } from "./proven.tsx";

type Setup = Schemas["TotpSetupReply"]["data"];
interface Props {
  readonly status: Status;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** Codes of an app. */
export function TotpSection({ status, onCodes }: Props) {
  const [open, setOpen] = useState<"set-up" | "remove">();
  const close = () => setOpen(undefined);
  return (
    <Section
      title="Codes of an app"
      actions={
        <>
          <Button look={status.enabled ? "plain" : "primary"} onPress={() => setOpen("set-up")}>
            {status.totp ? "Set up another app" : "Set up an app"}
          </Button>
          {status.totp && (
            <Button look="risky" onPress={() => setOpen("remove")}>
              Remove
            </Button>
          )}
        </>
      }
    >
      <p>
        {status.totp
          ? `On since ${formatDate(status.totp.since)}: the sign-in asks for the six digits that the app shows.`
          : "An app on your phone shows six digits that the sign-in asks for after the password."}
      </p>
      {open === "set-up" && <SetUpTotp status={status} onClose={close} onCodes={onCodes} />}
      {open === "remove" && (
        <Dialog title="Remove codes of the app?" onClose={close}>
          <Form
            submit="Remove them"
            look="danger"
            fieldOf={PROVEN_FIELDS}
            onSubmit={async (values) => {
              const body = await provenBy(values, status);
              await perform(
                "Codes of the app are removed",
                () => api.DELETE("/api/v1/auth/second-factor/totp", { body }),
                SECOND_FACTOR_KEY,
              );
              close();
            }}
            command={() => ({
              method: "DELETE",
              path: "/api/v1/auth/second-factor/totp",
              body: proofInCommand(status),
              berth: null,
            })}
          >
            <ProvenFields status={status} autoFocus />
          </Form>
        </Dialog>
      )}
    </Section>
  );
}

/** First the password, then the code to scan with the app's first code. */
function SetUpTotp({ status, onClose, onCodes }: Props & { onClose: () => void }) {
  const [setup, setSetup] = useState<Setup>();
  return (
    <Dialog title="Set up an app" onClose={onClose}>
      {setup === undefined ? (
        <Form
          submit="Continue"
          fieldOf={PROVEN_FIELDS}
          onSubmit={async (values) => {
            const body = await provenBy(values, status);
            setSetup(await dataOf(api.POST("/api/v1/auth/second-factor/totp", { body })));
          }}
          command={() => ({
            method: "POST",
            path: "/api/v1/auth/second-factor/totp",
            body: proofInCommand(status),
            berth: null,
          })}
        >
          <ProvenFields status={status} autoFocus />
        </Form>
      ) : (
        <Form
          key="code"
          submit="Turn it on"
          fieldOf={{ SECOND_FACTOR_WRONG: "code" }}
          onSubmit={async ({ code = "" }) => {
            const body = { setup: setup.setup, code };
            await perform("Codes of the app are on", async () => {
              const { recovery_codes } = await dataOf(api.PUT("/api/v1/auth/second-factor/totp", { body }));
              onCodes(recovery_codes);
            }, ["account"]);
            onClose();
          }}
          command={({ code }) => ({
            method: "PUT",
            path: "/api/v1/auth/second-factor/totp",
            body: { setup: setup.setup, code: code || "…" },
            berth: null,
          })}
        >
          <p>Scan this with an app for one-time codes, or type the secret into it.</p>
          <img
            className="qr"
            src={`data:image/svg+xml,${encodeURIComponent(setup.qr_code)}`}
            alt="QR code of the secret"
          />
          <Copyable text={setup.secret} label="the secret" />
          <Field
            label="The first code of the app"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
            isRequired
            autoFocus
          />
        </Form>
      )}
    </Dialog>
  );
}
