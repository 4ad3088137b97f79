import { useQuery } from "@tanstack/react-query";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { formatDate, plural } from "../../lib/format.ts";
import { SENDS_MAIL } from "../../lib/installation.ts";
import { useMailSettings } from "../../lib/reads.ts";
import { toast } from "../../lib/toasts.ts";
import { Copyable } from "../../ui/copy.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Facts, Loaded, Section } from "../../ui/page.tsx";
import { CurrentPassword } from "./current-password.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { AccountHead } from "./tabs.tsx";
import { Unverified } from "./unverified.tsx";

/** Who one is, and what one signs in with. */
export default function AccountPage() {
  const me = useQuery({ queryKey: ["account", "me"], queryFn: () => dataOf(api.GET("/api/v1/auth/me")) });
  const { data: mail } = useMailSettings();
  return (
    <>
      <AccountHead />
      <div className="panel">
        <Loaded query={me} rows={3}>
          {({ id, username, email, created_at }) => (
            <Facts
              facts={[
                ["User name", username],
                ["E-mail address", email],
                ["Since", formatDate(created_at)],
                ["User id", <Copyable key="id" text={id} label="the user id" />],
              ]}
            />
          )}
        </Loaded>
      </div>
      <div className="columns">
        <Section title="Change the password">
          <div className="panel">
            <PasswordForm />
          </div>
        </Section>
        <Section title="Change the e-mail address">
          <div className="panel stack">
            {mail && !mail.email_verified && <Unverified email={mail.email} />}
            <EmailForm />
          </div>
        </Section>
      </div>
      {me.data && <DeleteAccount username={me.data.username} />}
    </>
  );
}

const PasswordForm = () => (
  <Form
    submit="Change the password"
    fieldOf={{ WRONG_PASSWORD: "current_password" }}
    onSubmit={async ({ current_password = "", new_password = "" }) => {
      const body = { current_password, new_password };
      const { ended } = await dataOf(api.PUT("/api/v1/auth/password", { body }));
      await refresh(["account"]);
      toast(`The password is changed; ${plural(ended, "other session has", "other sessions have")} ended`);
    }}
    command={() => ({
      method: "PUT",
      path: "/api/v1/auth/password",
      body: { current_password: "…", new_password: "…" },
      berth: null,
    })}
  >
    <CurrentPassword />
    <Field
      label="New password"
      name="new_password"
      type="password"
      autoComplete="new-password"
      minLength={10}
      maxLength={256}
      isRequired
      hint="10 to 256 characters. Your other sessions end."
    />
  </Form>
);

const EmailForm = () => (
  <Form
    submit="Change the address"
    fieldOf={{ WRONG_PASSWORD: "current_password", EMAIL_TAKEN: "email" }}
    onSubmit={async (values) => {
      await api.PUT("/api/v1/auth/email", { body: emailOf(values) });
      await refresh(["account"]);
      toast(
        `The e-mail address is changed${SENDS_MAIL ? ", and a link was sent there that verifies it" : ""}`,
      );
    }}
    command={(values) => ({
      method: "PUT",
      path: "/api/v1/auth/email",
      body: { ...emailOf(values), current_password: "…" },
      berth: null,
    })}
  >
    <CurrentPassword />
    <Field
      label="New e-mail address"
      name="email"
      type="email"
      autoComplete="email"
      maxLength={254}
      isRequired
      hint="You can sign in with it from then on."
    />
  </Form>
);

const emailOf = ({ email = "", current_password = "" }: Values) => ({ email, current_password });
