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
  /** The server of the stock that it is to be. */
  readonly name?: string;
  readonly onClose: () => void;
  readonly onAdded: (host: Host) => void;
}

/** A machine that is to join. It has the name of a server of the stock. */
export const AddHost = ({ name, onClose, onAdded }: AddHostProps) => (
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
        {...(name === undefined ? {} : { defaultValue: name })}
        hint="As the server is called in the stock."
      />
    </Form>
  </Dialog>
);

/** What is run on the machine. The token in it is good once. */
export const JoinCommand = ({ host, onClose }: { host: Host; onClose: () => void }) => (
  <Dialog title={`Let ${host.name} join`} onClose={onClose} isWide isShownOnce>
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

type Listed = Pick<Host, "id" | "name" | "containers" | "storage_shares" | "rentals">;
interface HostProps {
  readonly host: Listed;
  readonly onClose: () => void;
}

/** What runs on the host goes on; nothing new comes. */
export const DrainHost = ({ host: { id, name, containers }, onClose }: HostProps) => (
  <Confirm
    title={`Drain the host ${name}?`}
    action="Drain the host"
    onClose={onClose}
    onConfirm={() =>
      perform(
        `${name} takes no new containers`,
        () => api.PATCH("/api/v1/admin/hosts/{id}", { params: { path: { id } }, body: { draining: true } }),
        HOSTS_KEY,
      )
    }
    command={{
      method: "PATCH",
      path: `/api/v1/admin/hosts/${id}`,
      body: { draining: true },
      berth: ["admin", "hosts", "drain", name],
    }}
  >
    <p>
      {containers === 0
        ? "No containers run on it."
        : `${plural(containers, "container")} on it: ${containers === 1 ? "it keeps" : "they keep"} running.`}{" "}
      The host takes no new containers and storage shares, and its server can no longer be rented, until you
      choose "Use again".
    </p>
  </Confirm>
);

/** The command has a token, which replaces the one before it. */
export const NewCommand = ({
  host: { id, name, containers },
  onClose,
  onMade,
}: HostProps & { readonly onMade: (host: Host) => void }) => (
  <Confirm
    title={`Make a new join command for ${name}?`}
    action="Make a new command"
    onClose={onClose}
    onConfirm={() =>
      perform(
        "The command before this one no longer works",
        async () =>
          onMade(await dataOf(api.POST("/api/v1/admin/hosts/{id}/token", { params: { path: { id } } }))),
        HOSTS_KEY,
      )
    }
    command={{
      method: "POST",
      path: `/api/v1/admin/hosts/${id}/token`,
      berth: ["admin", "hosts", "token", name],
    }}
  >
    <p>
      This makes a join token and the command that uses it. The token lets one machine join as {name}, once; a
      command that was made before no longer works. When a machine joins with it, the one that joined before
      loses its access
      {containers === 0 ? "." : `, and ${plural(containers, "container")} on that one cannot be reached.`}
    </p>
  </Confirm>
);

/** What becomes of those who rent it. */
const rentalsText = ({ rentals }: Listed): string =>
  rentals === 0 ? "" : " Rentals end at once, and what was paid for the rest of their time is returned.";

/** "a, b and c" */
const LIST = new Intl.ListFormat("en-GB");

/** What is lost with a host, in words; empty: nothing. */
const lossOf = ({ containers, storage_shares, rentals }: Listed): string =>
  LIST.format([
    ...(rentals > 0 ? [plural(rentals, "rental")] : []),
    ...(containers > 0 ? [plural(containers, "container")] : []),
    ...(storage_shares > 0 ? [plural(storage_shares, "storage share")] : []),
  ]);

/** With containers, storage shares or rentals only by force: the API refuses it otherwise, and the button says what is lost. */
export function RemoveHost({ host, onClose }: HostProps) {
  const { id, name } = host;
  const loss = lossOf(host);
  const query = loss === "" ? {} : { force: "true" as const };
  return (
    <Confirm
      title={`Remove the host ${name}?`}
      action={loss === "" ? "Remove the host" : `Remove it with ${loss}`}
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
        path: `/api/v1/admin/hosts/${id}${loss === "" ? "" : "?force=true"}`,
        berth: ["admin", "hosts", "remove", name, ...(loss === "" ? [] : ["--force"])],
      }}
    >
      <p>
        {loss === ""
          ? "Its agent can no longer connect. It can join again with a new command."
          : `Do this only when the machine is lost: what is on it is lost as well.${rentalsText(host)}`}
      </p>
    </Confirm>
  );
}
