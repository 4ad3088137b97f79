import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loaded } from "../../ui/page.tsx";
import { Blockers } from "../account/blockers.tsx";
import { ReasonField, USERS, type UserActProps } from "./user-acts.tsx";

/** Deletes a user's account, after it says what is in the way and what is given up. */
export function DeleteUserDialog({ user, onClose }: UserActProps) {
  const check = useQuery({
    queryKey: ["operator", "user-deletion", user.id],
    queryFn: () =>
      dataOf(api.GET("/api/v1/admin/users/{id}/deletion", { params: { path: { id: user.id } } })),
    gcTime: 0,
  });
  return (
    <Dialog title={`Delete the account of ${user.username}?`} onClose={onClose}>
      <Loaded query={check} rows={4}>
        {({ blockers, general_balance }) =>
          blockers.length > 0 ? (
            <Blockers blockers={blockers} onClose={onClose} />
          ) : (
            <Confirmation user={user} balance={general_balance} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Confirmation({ user, balance, onClose }: UserActProps & { balance: string }) {
  const forfeit = Number(balance) > 0 ? { forfeit_balance: balance } : {};
  const path = "/api/v1/admin/users/{id}";
  return (
    <Form
      submit="Delete the account for good"
      look="danger"
      onSubmit={async ({ username, reason = "" }) => {
        if (username !== user.username) throw new Error(`Type ${user.username} to confirm.`);
        const request = { params: { path: { id: user.id } }, body: { reason, ...forfeit } };
        await perform(`The account of ${user.username} is deleted`, () => api.DELETE(path, request), USERS);
        onClose();
      }}
      command={({ reason = "" }) => ({
        method: "DELETE",
        path: path.replace("{id}", user.id),
        body: { reason, ...forfeit },
        berth: [
          ...["admin", "users", "delete", user.username, "--reason", reason || "…"],
          ...(forfeit.forfeit_balance === undefined ? [] : ["--forfeit", balance]),
        ],
      })}
      actions={<Button onPress={onClose}>Cancel</Button>}
    >
      <p className="note warn">
        <Icon name="warning" />
        This cannot be undone.
        {forfeit.forfeit_balance !== undefined &&
          ` The user gives up the balance of ${formatMoney(balance)}.`}{" "}
        Invoices, transactions and the audit log are kept.
      </p>
      <Field
        label="User name"
        name="username"
        autoComplete="off"
        isRequired
        autoFocus
        hint={`Type ${user.username} to confirm.`}
      />
      <ReasonField hint="It stands in the audit log." />
    </Form>
  );
}
