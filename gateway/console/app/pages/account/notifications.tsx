import { refresh } from "../../lib/actions.ts";
import { api, type Schemas } from "../../lib/api.ts";
import { useMailSettings } from "../../lib/reads.ts";
import { toast } from "../../lib/toasts.ts";
import type { Values } from "../../lib/values.ts";
import { CheckField, Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/page.tsx";
import { AccountHead } from "./tabs.tsx";
import { Unverified } from "./unverified.tsx";

type Settings = Schemas["MailSettingsReply"]["data"];

/** Which notices are mailed. */
export default function NotificationsPage() {
  const query = useMailSettings(true);
  return (
    <>
      <AccountHead />
      <div className="panel stack">
        <Loaded query={query} rows={4}>
          {(settings) =>
            settings.sends_mail ? <Mail settings={settings} /> : <p>This Berth sends no mail.</p>
          }
        </Loaded>
      </div>
    </>
  );
}

const Mail = ({ settings }: { settings: Settings }) => (
  <>
    {settings.email_verified ? (
      <p>
        Notices are mailed to <bdi>{settings.email}</bdi>.
      </p>
    ) : (
      <Unverified email={settings.email} />
    )}
    <Form
      submit="Save"
      onSubmit={async (values) => {
        await api.PATCH("/api/v1/notifications/mail", { body: settingsOf(values) });
        await refresh(["account"]);
        toast("Saved");
      }}
      command={(values) => ({
        method: "PATCH",
        path: "/api/v1/notifications/mail",
        body: settingsOf(values),
        berth: wordsOf(values),
      })}
    >
      {TOPICS.map(([name, label, hint]) => (
        <CheckField key={name} name={name} label={label} hint={hint} defaultChecked={settings[name]} />
      ))}
      <Field
        label="Low balance"
        name="low_balance_below"
        unit="$"
        inputMode="decimal"
        pattern="(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?"
        defaultValue={settings.low_balance_below ?? ""}
        hint="A mail when the balance falls below it, with the notices about money. Empty: none."
      />
    </Form>
  </>
);

const TOPICS = [
  ["security", "Security", "A sign-in from somewhere new; changes of what you sign in with."],
  ["money", "Money", "A rental that ends soon or extends itself, a payment that failed, a low balance."],
  ["containers", "Containers", "A container or a firewall that fails."],
] as const;

const settingsOf = ({ security, money, containers, low_balance_below }: Values) => ({
  security: security !== undefined,
  money: money !== undefined,
  containers: containers !== undefined,
  low_balance_below: low_balance_below || null,
});

const wordsOf = (values: Values): string[] => [
  ...["account", "mail"],
  ...TOPICS.flatMap(([name]) => [`--${name}`, values[name] === undefined ? "off" : "on"]),
  ...["--low-balance", values.low_balance_below || "off"],
];
