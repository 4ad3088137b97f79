import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option, options } from "../../lib/commands.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { TOKENS_KEY } from "./tokens.tsx";

type Permission = Schemas["PermissionName"];

/** In words; a permission that the API adds does not compile until it has some here. */
const PERMISSIONS: Record<Permission, string> = {
  "resources.read": "See containers, firewalls, names, servers, pools and images",
  "resources.write": "Create, change and delete them, and enter containers",
  "resources.read_account": "See the account, its events and notifications",
  "resources.write_account": "Delete events of the account",
  "webhooks.manage": "Create, change, test and delete webhooks",
  "wallet.read": "See balances, invoices and transactions",
  "wallet.spend": "Spend money: rent, extend, buy and transfer",
};

/** A new token. Its text is shown once, since only a hash of it is kept. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<string | null>();
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(new Set(["resources.read"]));
  const permissions = [...chosen];
  const toggle = (name: Permission, isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, name] : permissions.filter((one) => one !== name)));
  const create = async (values: Values) => {
    const { token } = await dataOf(api.POST("/api/v1/auth/tokens", { body: bodyOf(values, permissions) }));
    await refresh(TOKENS_KEY);
    setCreated(token);
  };
  if (created) return <ShownOnce title="The token" secret={created} onClose={onClose} />;
  return (
    <Dialog title="Create a token" onClose={onClose}>
      <Form
        submit="Create the token"
        onSubmit={create}
        command={(values) => ({
          method: "POST",
          path: "/api/v1/auth/tokens",
          body: bodyOf(values, permissions),
          berth: [
            ...["token", "create", values.name || "…"],
            ...options("permission", permissions),
            ...option("expires", bodyOf(values, permissions).expires_at),
          ],
        })}
      >
        <Field
          label="Name"
          name="name"
          maxLength={100}
          isRequired
          autoFocus
          hint="What uses it, such as: deploy from CI."
        />
        <fieldset className="choices">
          <legend>What it may do</legend>
          {(Object.keys(PERMISSIONS) as Permission[]).map((name) => (
            <CheckField
              key={name}
              label={PERMISSIONS[name]}
              hint={<code>{name}</code>}
              checked={chosen.has(name)}
              onChange={({ target }) => toggle(name, target.checked)}
            />
          ))}
        </fieldset>
        <Field label="Expires" name="expires_at" type="datetime-local" hint="Empty: never." />
      </Form>
    </Dialog>
  );
}

const bodyOf = ({ name = "", expires_at }: Values, permissions: Permission[]) => ({
  name,
  permissions,
  ...(expires_at ? { expires_at: new Date(expires_at).toISOString() } : {}),
});
