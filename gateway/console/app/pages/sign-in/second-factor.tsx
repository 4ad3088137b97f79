import { useState } from "react";
import type { SecondFactorChallenge as Challenge } from "../../../../../client/index.ts";
import { api, dataOf } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { canUsePasskeys, usePasskey } from "../../lib/passkeys.ts";
import { proveSecondFactor } from "../../lib/session.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Entrance } from "./entrance.tsx";

type Method = Challenge["methods"][number];

const NAMES: Record<Method, string> = {
  totp: "Use a code of your app",
  passkey: "Use a passkey",
  recovery_code: "Use a recovery code",
};

/** The second step of a sign-in. The way that the account has comes first, the others are a button away. */
export function SecondFactorPage({ challenge, onBack }: { challenge: Challenge; onBack: () => void }) {
  const methods = challenge.methods.filter((method) => method !== "passkey" || canUsePasskeys());
  const [method, setMethod] = useState<Method>(methods[0] ?? "recovery_code");
  return (
    <Entrance title="Second factor">
      {method === "passkey" ? (
        <PasskeyForm challenge={challenge} />
      ) : (
        <CodeForm key={method} method={method} challenge={challenge} />
      )}
      {methods.length < challenge.methods.length && (
        <p className="hint">
          Your passkeys do not work at this address
          {location.hostname === "127.0.0.1" && (
            <>
              , but at <a href={location.href.replace("127.0.0.1", "localhost")}>localhost</a>
            </>
          )}
          .
        </p>
      )}
      <div className="stack">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} look="quiet" onPress={() => setMethod(other)}>
              {NAMES[other]}
            </Button>
          ))}
        <Button look="quiet" onPress={onBack}>
          Begin again
        </Button>
      </div>
    </Entrance>
  );
}

const CodeForm = ({ method, challenge: { challenge } }: { method: Method; challenge: Challenge }) => (
  <Form
    submit="Sign in"
    onSubmit={async ({ code = "" }) => {
      await proveSecondFactor({ challenge, code });
      if (method === "recovery_code") await sayCodesLeft();
    }}
    fieldOf={{ SECOND_FACTOR_WRONG: "code" }}
    command={({ code }) => ({
      method: "POST",
      path: "/api/v1/auth/login/second-factor",
      body: { challenge, code: code || "…" },
      berth: ["login", "--url", location.origin, "--code", code || "…"],
    })}
  >
    {method === "totp" ? (
      <Field
        label="Code"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        isRequired
        autoFocus
        hint="The six digits that your app shows now."
      />
    ) : (
      <Field
        label="Recovery code"
        name="code"
        autoComplete="off"
        maxLength={40}
        isRequired
        autoFocus
        hint="One of those that you kept. Each is good once."
      />
    )}
  </Form>
);

/** Whoever has lost the second factor should not run out of codes unawares. */
async function sayCodesLeft(): Promise<void> {
  const status = await dataOf(api.GET("/api/v1/auth/second-factor")).catch(() => undefined);
  if (status === undefined) return;
  const left = plural(status.recovery_codes_left, "recovery code is", "recovery codes are");
  toast(`You signed in by a recovery code, which is used up: ${left} left.`, "done", null, {
    title: "Make new ones",
    to: "/account/second-factor",
  });
}

const PasskeyForm = ({ challenge: { challenge, options } }: { challenge: Challenge }) => (
  <Form
    submit="Use the passkey"
    onSubmit={async () => proveSecondFactor({ challenge, passkey: await usePasskey({ ...options }) })}
  >
    <p className="hint">Your browser asks for the device or the key that has it.</p>
  </Form>
);
