import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type SecondFactorChallenge, secondFactorChallengeOf } from "../../../../../client/index.ts";
import { RECOVER_PATH } from "../../../paths.ts";
import { api, dataOf } from "../../lib/api.ts";
import { SENDS_MAIL } from "../../lib/installation.ts";
import { messageOf } from "../../lib/messages.ts";
import { canUsePasskeys, usePasskey } from "../../lib/passkeys.ts";
import { signIn, signInByPasskey, useEnding } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Entrance } from "./entrance.tsx";
import { SecondFactorPage } from "./second-factor.tsx";

/** Name and password, and then the second factor of an account that has one; or a passkey alone. */
export function SignInPage() {
  const [challenge, setChallenge] = useState<SecondFactorChallenge>();
  const ending = useEnding();
  if (challenge) return <SecondFactorPage challenge={challenge} onBack={() => setChallenge(undefined)} />;
  return (
    <Entrance title="Sign in">
      {ending && (
        <p className="note" role="status">
          Your session has ended:{" "}
          {ending === "suspended"
            ? "this account is suspended. Ask the operator why."
            : "somebody ended it elsewhere, or it was unused for too long. Sign in to go on where you were."}
        </p>
      )}
      <Form
        submit="Sign in"
        onSubmit={({ name = "", password = "" }) =>
          signIn(name, password).catch((error) => {
            const asked = secondFactorChallengeOf(error);
            if (asked === undefined) throw error;
            setChallenge(asked);
          })
        }
        fieldOf={{ INVALID_CREDENTIALS: "password" }}
        actions={canUsePasskeys() && <PasskeyButton />}
        command={({ name = "" }) => ({
          method: "POST",
          path: "/api/v1/auth/login",
          body: { username: name, password: "…" },
          berth: ["login", "--url", location.origin, "--username", name || "…"],
        })}
      >
        <Field
          label="User name or e-mail address"
          name="name"
          autoComplete="username webauthn"
          isRequired
          autoFocus
        />
        <Field label="Password" name="password" type="password" autoComplete="current-password" isRequired />
      </Form>
      <p className="switch">
        No account yet? <Link to={"/sign-up" as "."}>Sign up</Link>
      </p>
      <p className="hint">
        {SENDS_MAIL ? (
          <a href={RECOVER_PATH}>Forgot your password?</a>
        ) : (
          "Forgot your password? An administrator can send you a link that sets a new one."
        )}
      </p>
    </Entrance>
  );
}

/** Signs in without name and password. */
function PasskeyButton() {
  const [problem, setProblem] = useState("");
  const [isPending, setPending] = useState(false);
  const begin = async () => {
    setPending(true);
    setProblem("");
    try {
      const { challenge, options } = await dataOf(api.POST("/api/v1/auth/login/passkey-challenge"));
      await signInByPasskey({ challenge, passkey: await usePasskey(options) });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button isPending={isPending} onPress={() => begin()}>
        Use a passkey
      </Button>
      <p className="field-error whole-line" role="alert" hidden={problem === ""}>
        {problem}
      </p>
    </>
  );
}
