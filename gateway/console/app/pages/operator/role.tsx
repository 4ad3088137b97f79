import { api } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { useSecondFactor } from "../../lib/second-factor.ts";
import { signOut } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/page.tsx";
import { PROVEN_FIELDS, ProvenFields, proofInCommand, provenBy, type Status } from "../account/proven.tsx";
import { ReasonField, USERS, type UserActProps } from "./user-acts.tsx";

/** Makes a user an administrator; of the own account it gives that up. */
export function RoleDialog(props: UserActProps) {
  const { username, role } = props.user;
  const factors = useSecondFactor();
  return (
    <Dialog
      title={role === "user" ? `Make ${username} an administrator?` : "Give up being an administrator?"}
      onClose={props.onClose}
    >
      <Loaded query={factors} rows={3}>
        {(status) => <RoleForm {...props} status={status} />}
      </Loaded>
    </Dialog>
  );
}

function RoleForm({
  user: { id, username, role: present },
  onClose,
  status,
}: UserActProps & { status: Status }) {
  const gives = present === "user";
  const role = gives ? "admin" : "user";
  const path = "/api/v1/admin/users/{id}";
  return (
    <Form
      submit={gives ? "Make an administrator" : "Give it up"}
      look="danger"
      fieldOf={PROVEN_FIELDS}
      onSubmit={async (values) => {
        const body = { ...(await provenBy(values, status)), role, reason: values.reason ?? "" } as const;
        const change = () => api.PATCH(path, { params: { path: { id } }, body });
        if (gives) await perform(`${username} is an administrator`, change, USERS);
        else {
          await change();
          // All sessions have ended with it.
          await signOut();
        }
        onClose();
      }}
      command={(values) => ({
        method: "PATCH",
        path: path.replace("{id}", id),
        body: { ...proofInCommand(status), role, reason: values.reason ?? "" },
        berth: ["admin", "users", "role", username, role, "--reason", values.reason || "…"],
      })}
      actions={<Button onPress={onClose}>Cancel</Button>}
    >
      {gives ? (
        <p>
          Administrators see every account, credit wallets, suspend and delete users, change the stock and
          make others administrators. {username} can do all of that at once after signing in, or within 15
          minutes. You cannot take it back here: <code>berth admin demote</code>, on a machine of this
          installation, does.
        </p>
      ) : (
        <p>You sign out everywhere, and are a user from then on. One administrator always remains.</p>
      )}
      <ProvenFields status={status} autoFocus />
      <ReasonField hint={`It stands in the audit log${gives ? ", which the user reads too" : ""}.`} />
    </Form>
  );
}
