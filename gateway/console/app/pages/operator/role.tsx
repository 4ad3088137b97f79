import { api } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { signOut } from "../../lib/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { CurrentPassword } from "../account/current-password.tsx";
import { ReasonField, USERS, type UserActProps } from "./user-acts.tsx";

/** Makes a user an administrator; of the own account it gives that up. */
export function RoleDialog({ user: { id, username, role: present }, onClose }: UserActProps) {
  const gives = present === "user";
  const role = gives ? "admin" : "user";
  const path = "/api/v1/admin/users/{id}";
  const bodyOf = ({ reason = "", current_password = "" }: Values) =>
    ({ role, reason, current_password }) as const;
  return (
    <Dialog
      title={gives ? `Make ${username} an administrator?` : "Give up being an administrator?"}
      onClose={onClose}
    >
      <Form
        submit={gives ? "Make an administrator" : "Give it up"}
        look="danger"
        fieldOf={{ WRONG_PASSWORD: "current_password" }}
        onSubmit={async (values) => {
          const change = () => api.PATCH(path, { params: { path: { id } }, body: bodyOf(values) });
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
          body: { ...bodyOf(values), current_password: "…" },
          berth: ["admin", "users", "role", username, role, "--reason", values.reason || "…"],
        })}
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
        <CurrentPassword />
        <ReasonField hint={`It stands in the audit log${gives ? ", which the user reads too" : ""}.`} />
      </Form>
    </Dialog>
  );
}
