import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

export interface UserActProps {
  readonly user: Schemas["UserRecord"];
  readonly onClose: () => void;
}

export const USERS = ["operator", "users"] as const;

interface ReasonProps {
  readonly hint: string;
  readonly maxLength?: number;
  readonly autoFocus?: boolean;
}

export const ReasonField = ({ maxLength = 500, ...props }: ReasonProps) => (
  <Field label="Reason" name="reason" maxLength={maxLength} isRequired {...props} />
);

/** Gives money. The user sees the reason. */
export const CreditDialog = ({ user, onClose }: UserActProps) => (
  <Dialog title={`Credit ${user.username}`} onClose={onClose}>
    <Form
      submit="Credit the wallet"
      onSubmit={async (values) => {
        const params = { path: { userId: user.id } };
        await perform(
          "The wallet is credited",
          () => api.POST("/api/v1/admin/wallets/{userId}/credit", { params, body: creditOf(values) }),
          USERS,
        );
        onClose();
      }}
      command={(values) => ({
        method: "POST",
        path: `/api/v1/admin/wallets/${user.id}/credit`,
        body: creditOf(values),
        berth: ["admin", "credit", user.username, values.amount || "…", "--reason", values.reason || "…"],
      })}
    >
      <Field label="Amount" name="amount" unit="$" inputMode="decimal" isRequired autoFocus />
      <ReasonField hint="The user sees it." maxLength={255} />
    </Form>
  </Dialog>
);

const creditOf = ({ amount = "", reason = "" }: Values) => ({ amount, reason });

/** Closes an account, or opens it again. */
export function SuspensionDialog({ user, onClose }: UserActProps) {
  const suspends = user.status === "active";
  const path = suspends ? "/api/v1/admin/users/{id}/suspend" : "/api/v1/admin/users/{id}/restore";
  const bodyOf = ({ reason = "" }: Values) => ({ reason });
  return (
    <Dialog title={`${suspends ? "Suspend" : "Restore"} ${user.username}?`} onClose={onClose}>
      <Form
        submit={suspends ? "Suspend the account" : "Restore the account"}
        look={suspends ? "danger" : "primary"}
        onSubmit={async (values) => {
          await perform(
            `${user.username} is ${suspends ? "suspended" : "restored"}`,
            () => api.POST(path, { params: { path: { id: user.id } }, body: bodyOf(values) }),
            USERS,
          );
          onClose();
        }}
        command={(values) => ({
          method: "POST",
          path: path.replace("{id}", user.id),
          body: bodyOf(values),
          berth: [
            "admin",
            "users",
            suspends ? "suspend" : "restore",
            user.username,
            "--reason",
            values.reason || "…",
          ],
        })}
        actions={<Button onPress={onClose}>Cancel</Button>}
      >
        {suspends ? (
          <>
            <p>Nobody signs in to the account until you restore it.</p>
            <ul className="points">
              <li>Sessions, API tokens and open terminals end at once, everywhere.</li>
              <li>Containers run on, unless this installation is set up to stop them.</li>
              <li>Rentals run on until their end. Money, files and records stay as they are.</li>
            </ul>
          </>
        ) : (
          <p>
            The user can sign in again. Sessions and API tokens that have ended stay ended, and containers
            that were stopped stay stopped until the user starts them.
          </p>
        )}
        <ReasonField hint="It stands in the audit log." autoFocus />
      </Form>
    </Dialog>
  );
}

/** A link by which somebody who has forgotten the password sets a new one. It is shown once. */
export function RecoveryDialog({ user, onClose }: UserActProps) {
  const [started, setStarted] = useState<{ url: string; expires_at: string }>();
  const path = "/api/v1/admin/users/{id}/recovery";
  return (
    <Dialog title="Recovery link" onClose={onClose} isShownOnce={started !== undefined}>
      {started === undefined ? (
        <Form
          submit="Make a link"
          onSubmit={async ({ reason = "" }) => {
            const params = { path: { id: user.id } };
            setStarted(await dataOf(api.POST(path, { params, body: { reason } })));
          }}
          command={({ reason = "" }) => ({
            method: "POST",
            path: path.replace("{id}", user.id),
            body: { reason },
            berth: null,
          })}
        >
          <p>Whoever opens the link sets a new password. Send it only to {user.username}.</p>
          <ReasonField hint="It stands in the audit log, which the user reads too." autoFocus />
        </Form>
      ) : (
        <div className="stack">
          <p className="note warn">Copy it now: it is shown only this once.</p>
          <Copyable text={started.url} label="the link" />
          <p className="hint">It is good once, until {formatDateTime(started.expires_at)}.</p>
          <Button onPress={onClose}>Done</Button>
        </div>
      )}
    </Dialog>
  );
}
