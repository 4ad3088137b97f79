import { Link } from "@tanstack/react-router";
import { signIn } from "../../lib/session.ts";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Entrance } from "./entrance.tsx";

export const SignInPage = () => (
  <Entrance title="Sign in">
    <Form
      submit="Sign in"
      onSubmit={({ name = "", password = "" }) => signIn(name, password)}
      fieldOf={{ INVALID_CREDENTIALS: "password" }}
    >
      <Field label="User name or e-mail address" name="name" autoComplete="username" isRequired autoFocus />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
        hint="Forgotten? An administrator can send you a link that sets a new one."
      />
    </Form>
    <p className="switch">
      No account yet? <Link to={"/sign-up" as "."}>Sign up</Link>
    </p>
  </Entrance>
);
