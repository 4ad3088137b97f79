import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { useSecondFactor } from "../../lib/second-factor.ts";
import { signOut } from "../../lib/session.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { type Blocker, Blockers } from "./blockers.tsx";
import { PROVEN_FIELDS, ProvenFields, proofInCommand, provenBy, type Status } from "./proven.tsx";

/** Where each ends. */
const PAGES: Readonly<Record<Blocker["kind"], string>> = {
  rental: "/servers",
  reservation: "/servers",
  container: "/containers",
  storage_share: "/storage",
  alias: "/names",
  pool: "/pools",
  payment: "/wallet",
  payment_review: "/wallet",
  purchase: "/wallet",
  last_administrator: "/operator/users",
};

/** Deletes the account, after all that is in the way has ended. */
export function DeleteAccount({ username }: { username: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title="Delete the account">
      <div className="panel stack">
        <p>
          Nobody signs in with it any more. Servers, containers and whatever else runs or is paid for must
          have ended before. Invoices, transactions and the audit log are kept.
        </p>
        <div>
          <Button look="risky" onPress={() => setOpen(true)}>
            Delete the account
          </Button>
        </div>
      </div>
      {isOpen && <DeleteDialog username={username} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const factors = useSecondFactor();
  const check = useQuery({
    queryKey: ["account", "deletion"],
    queryFn: () => dataOf(api.GET("/api/v1/auth/account/deletion")),
    gcTime: 0,
  });
  return (
    <Dialog title="Delete the account?" onClose={onClose}>
      <Loaded query={check} rows={4}>
        {({ blockers, general_balance }) =>
          blockers.length > 0 ? (
            <Blockers blockers={blockers} pageOf={(kind) => PAGES[kind]} onClose={onClose} />
          ) : (
            <Loaded query={factors} rows={2}>
              {(status) => <Confirmation username={username} balance={general_balance} status={status} />}
            </Loaded>
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface ConfirmationProps {
  readonly username: string;
  readonly balance: string;
  readonly status: Status;
}

function Confirmation({ username, balance, status }: ConfirmationProps) {
  const hasBalance = Number(balance) > 0;
  return (
    <Form
      submit="Delete the account for good"
      look="danger"
      fieldOf={PROVEN_FIELDS}
      onSubmit={async (values) => {
        if (values.username !== username) throw new Error(`Type ${username} to confirm.`);
        const proof = await provenBy(values, status);
        const body = { ...proof, ...(hasBalance ? { forfeit_balance: balance } : {}) };
        await api.DELETE("/api/v1/auth/account", { body });
        await signOut();
        toast("The account is deleted");
      }}
      command={() => ({
        method: "DELETE",
        path: "/api/v1/auth/account",
        body: { ...proofInCommand(status), ...(hasBalance ? { forfeit_balance: balance } : {}) },
        berth: ["account", "delete", ...(hasBalance ? ["--forfeit", balance] : [])],
      })}
    >
      <p className="note warn">
        <Icon name="warning" />
        This cannot be undone.
        {hasBalance && ` You give up the balance of ${formatMoney(balance)}.`} Nobody gets your user name
        again.
      </p>
      <Field
        label="Your user name"
        name="username"
        autoFocus
        autoComplete="off"
        isRequired
        hint={`Type ${username} to confirm.`}
      />
      <ProvenFields status={status} />
    </Form>
  );
}
