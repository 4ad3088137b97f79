import { refresh } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { formatDateTime, plural } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { HOSTS_KEY, type Host } from "./hosts.tsx";

interface AddHostProps {
  readonly onClose: () => void;
  readonly onAdded: (host: Host) => void;
}

/** A machine that is to join. It has the name of a server of the stock. */
export const AddHost = ({ onClose, onAdded }: AddHostProps) => (
  <Dialog title="Add a host" onClose={onClose}>
    <Form
      submit="Add the host"
      onSubmit={async ({ name = "" }) => {
        const host = await dataOf(api.POST("/api/v1/admin/hosts", { body: { name } }));
        await refresh(HOSTS_KEY);
        onAdded(host);
      }}
      command={({ name = "" }) => ({
        method: "POST",
        path: "/api/v1/admin/hosts",
        body: { name },
        berth: ["admin", "hosts", "add", name || "…"],
      })}
      fieldOf={{ NAME_TAKEN: "name" }}
    >
      <Field
        label="Name"
        name="name"
        maxLength={63}
        isRequired
        autoFocus
        hint="That of the server of the stock whose containers run on it."
      />
    </Form>
  </Dialog>
);

/** What is run on the machine. The token in it is good once. */
export const JoinCommand = ({ host, onClose }: { host: Host; onClose: () => void }) => (
  <Dialog title={`Let ${host.name} join`} onClose={onClose} isWide>
    <div className="stack">
      <p>Run this on the machine, as root:</p>
      <Copyable text={host.command ?? ""} label="the command" />
      <p className="hint">
        It is good once
        {host.enrolment_expires_at === null ? "" : `, until ${formatDateTime(host.enrolment_expires_at)}`},
        and is shown only now.
      </p>
      <div className="form-actions">
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </div>
  </Dialog>
);

type Removed = Pick<Host, "id" | "name" | "containers">;

/** With containers only by force: the API refuses it otherwise, and the button says what is lost. */
export function RemoveHost({ host, onClose }: { host: Removed; onClose: () => void }) {
  const { id, name, containers } = host;
  const query = containers > 0 ? { force: "true" as const } : {};
  return (
    <Confirm
      title={`Remove the host ${name}?`}
      action={containers > 0 ? `Remove it with ${plural(containers, "container")}` : "Remove the host"}
      isDangerous
      onClose={onClose}
      onConfirm={() =>
        perform(
          `${name} is removed`,
          () => api.DELETE("/api/v1/admin/hosts/{id}", { params: { path: { id }, query } }),
          HOSTS_KEY,
        )
      }
      command={{
        method: "DELETE",
        path: `/api/v1/admin/hosts/${id}${containers > 0 ? "?force=true" : ""}`,
        berth: ["admin", "hosts", "remove", name, ...(containers > 0 ? ["--force"] : [])],
      }}
    >
      <p>
        {containers > 0
          ? "Do this only when the machine is lost: its containers are lost with it."
          : "Its agent can no longer connect. It can join again with a new command."}
      </p>
    </Confirm>
  );
}
