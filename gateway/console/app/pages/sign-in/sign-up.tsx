import { Link, useNavigate } from "@tanstack/react-router";
import { signUp } from "../../lib/session.ts";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Entrance } from "./entrance.tsx";

export default function SignUpPage() {
  const navigate = useNavigate();
  return (
    <Entrance title="Sign up">
      <Form
        submit="Create the account"
        fieldOf={{ USERNAME_TAKEN: "username", EMAIL_TAKEN: "email" }}
        onSubmit={async ({ username = "", email = "", password = "" }) => {
          await signUp({ username, email, password });
          await navigate({ to: "/" });
        }}
        command={({ username = "", email = "" }) => ({
          method: "POST",
          path: "/api/v1/auth/signup",
          body: { username, email, password: "…" },
          berth: [
            ...["signup", "--url", location.origin],
            ...["--username", username || "…", "--email", email || "…"],
          ],
        })}
      >
        <Field
          label="User name"
          name="username"
          autoComplete="username"
          maxLength={100}
          isRequired
          autoFocus
          hint="Letters a to z, digits, - and _. Others see it."
        />
        <Field
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          isRequired
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={256}
          isRequired
          hint="10 to 256 characters; a sentence is a good one."
        />
      </Form>
      <p className="switch">
        You have an account? <Link to={"/sign-in" as "."}>Sign in</Link>
      </p>
    </Entrance>
  );
}
