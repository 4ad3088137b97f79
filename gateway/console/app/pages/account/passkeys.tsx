import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { canUsePasskeys, makePasskey } from "../../lib/passkeys.ts";
import { perform } from "../../lib/perform.ts";
import { SECOND_FACTOR_KEY } from "../../lib/second-factor.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { PROVEN_FIELDS, ProvenFields, proofInCommand, provenBy, type Status } from "./proven.tsx";

type Passkey = Schemas["PasskeyRecord"];
type Act = { readonly what: "rename" | "remove"; readonly passkey: Passkey } | { readonly what: "add" };
interface Props {
  readonly status: Status;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** Passkeys: made, named and removed. */
export function PasskeysSection({ status, onCodes }: Props) {
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  return (
    <Section
      title="Passkeys"
      actions={canUsePasskeys() && <Button onPress={() => setAct({ what: "add" })}>Add a passkey</Button>}
    >
      <p>A passkey in your phone, computer or security key signs in by itself, without name and password.</p>
      {!canUsePasskeys() && <Elsewhere origin={status.passkey_origin} />}
      {status.passkeys.length > 0 && (
        <Table
          caption="Passkeys"
          columns={columns((what, passkey) => setAct({ what, passkey }))}
          rows={status.passkeys}
          keyOf={({ id }) => id}
        />
      )}
      {act?.what === "add" && <AddPasskey status={status} onClose={close} onCodes={onCodes} />}
      {act?.what === "rename" && <RenamePasskey passkey={act.passkey} onClose={close} />}
      {act?.what === "remove" && <RemovePasskey passkey={act.passkey} status={status} onClose={close} />}
    </Section>
  );
}

/** Passkeys belong to a host name, which the address of this page may lack. */
const Elsewhere = ({ origin }: { origin: string | null }) => (
  <p className="hint">
    {origin === null ? (
      "They need an address with a host name, which this installation does not have."
    ) : (
      <>
        They work at <a href={`${origin}/account/second-factor`}>{origin}</a>.
      </>
    )}
  </p>
);

const columns = (
  onAct: (what: "rename" | "remove", passkey: Passkey) => void,
): readonly Column<Passkey>[] => [
  { title: "Name", cell: ({ name }) => name },
  { title: "Where", cell: ({ synced }) => (synced ? "on all your devices" : "on one device") },
  { title: "Added", cell: ({ created_at }) => <When at={created_at} /> },
  { title: "Last used", cell: ({ last_used_at }) => (last_used_at ? <When at={last_used_at} /> : "never") },
  {
    title: "Change",
    isActions: true,
    cell: (passkey) => (
      <>
        <Button look="quiet" aria-label={`Rename ${passkey.name}`} onPress={() => onAct("rename", passkey)}>
          Rename
        </Button>
        <Button look="remove" aria-label={`Remove ${passkey.name}`} onPress={() => onAct("remove", passkey)}>
          Remove
        </Button>
      </>
    ),
  },
];

function AddPasskey({ status, onClose, onCodes }: Props & { onClose: () => void }) {
  const add = async (values: Values) => {
    const body = await provenBy(values, status);
    const { challenge, options } = await dataOf(api.POST("/api/v1/auth/passkeys/challenge", { body }));
    const passkey = await makePasskey(options);
    const { name = "" } = values;
    const made = await dataOf(api.POST("/api/v1/auth/passkeys", { body: { challenge, name, passkey } }));
    onCodes(made.recovery_codes);
  };
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form
        submit="Add the passkey"
        fieldOf={PROVEN_FIELDS}
        onSubmit={async (values) => {
          await perform("The passkey is added", () => add(values), ["account"]);
          onClose();
        }}
      >
        <NameField />
        <ProvenFields status={status} />
      </Form>
    </Dialog>
  );
}

const RenamePasskey = ({
  passkey: { id, name: before },
  onClose,
}: {
  passkey: Passkey;
  onClose: () => void;
}) => (
  <Dialog title="Rename the passkey" onClose={onClose}>
    <Form
      submit="Rename it"
      onSubmit={async ({ name = "" }) => {
        const path = { id };
        await perform(
          "The passkey is renamed",
          () => api.PATCH("/api/v1/auth/passkeys/{id}", { params: { path }, body: { name } }),
          SECOND_FACTOR_KEY,
        );
        onClose();
      }}
      command={({ name = before }) => ({
        method: "PATCH",
        path: `/api/v1/auth/passkeys/${id}`,
        body: { name },
        berth: null,
      })}
    >
      <NameField value={before} />
    </Form>
  </Dialog>
);

const RemovePasskey = ({
  passkey: { id, name },
  status,
  onClose,
}: {
  passkey: Passkey;
  status: Status;
  onClose: () => void;
}) => (
  <Dialog title={`Remove ${name}?`} onClose={onClose}>
    <Form
      submit="Remove the passkey"
      look="danger"
      fieldOf={PROVEN_FIELDS}
      onSubmit={async (values) => {
        const body = await provenBy(values, status);
        await perform(
          "The passkey is removed",
          () => api.DELETE("/api/v1/auth/passkeys/{id}", { params: { path: { id } }, body }),
          SECOND_FACTOR_KEY,
        );
        onClose();
      }}
      command={() => ({
        method: "DELETE",
        path: `/api/v1/auth/passkeys/${id}`,
        body: proofInCommand(status),
        berth: null,
      })}
    >
      <ProvenFields status={status} autoFocus />
    </Form>
  </Dialog>
);

const NameField = ({ value = "" }: { value?: string }) => (
  <Field
    label="Name"
    name="name"
    defaultValue={value}
    maxLength={100}
    isRequired
    autoFocus
    hint="Where it is, such as: my phone."
  />
);
