import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { ShownOnce } from "../account/shown-once.tsx";

/** A new secret. The former one goes on for a while, so that the receiver can change over. */
export function RotateSecret({ id, onClose }: { id: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>();
  const rotate = async (values: Values) => {
    const { secret } = await dataOf(
      api.POST("/api/v1/webhooks/{id}/secret", { params: { path: { id } }, body: bodyOf(values) }),
    );
    await refresh(["webhooks"]);
    setSecret(secret);
  };
  if (secret) return <ShownOnce title="The secret" secret={secret} onClose={onClose} />;
  return (
    <Dialog title="New secret" onClose={onClose}>
      <Form
        submit="Make a new secret"
        onSubmit={rotate}
        command={(values) => ({
          method: "POST",
          path: `/api/v1/webhooks/${id}/secret`,
          body: bodyOf(values),
          berth: null,
        })}
      >
        <Field
          label="Hours that the old secret still signs"
          name="keep_previous_hours"
          inputMode="numeric"
          pattern="[0-9]{1,3}"
          mismatch="A whole number from 0 to 168."
          defaultValue="24"
          isRequired
          autoFocus
          hint="0 to 168. If it has leaked, choose 0: it ends at once."
        />
      </Form>
    </Dialog>
  );
}

const bodyOf = ({ keep_previous_hours = "24" }: Values) => ({
  keep_previous_hours: Number(keep_previous_hours),
});
