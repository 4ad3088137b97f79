import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option, options } from "../../lib/commands.ts";
import { EVENT_TYPES } from "../../lib/event-types.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

type EventType = Schemas["EventType"];

interface WebhookFormProps {
  /** The one that is changed; absent: a new one. */
  readonly webhook?: Schemas["Webhook"];
  readonly onClose: () => void;
  /** Gets the secret of a new one. */
  readonly onCreated?: (secret: string | null) => void;
}

/** Where events are sent, and which. */
export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const [all, setAll] = useState(webhook === undefined || webhook.event_types === null);
  const [chosen, setChosen] = useState<ReadonlySet<EventType>>(new Set(webhook?.event_types ?? []));
  const bodyOf = ({ url = "", description = "" }: Values) => ({
    url,
    description,
    event_types: all ? null : EVENT_TYPES.filter((type) => chosen.has(type)),
  });
  const save = async (values: Values) => {
    const body = bodyOf(values);
    if (webhook === undefined) {
      const { secret } = await dataOf(api.POST("/api/v1/webhooks", { body }));
      onCreated?.(secret);
    } else {
      await api.PATCH("/api/v1/webhooks/{id}", { params: { path: { id: webhook.id } }, body });
      toast("The webhook is changed");
      onClose();
    }
    await refresh(["webhooks"]);
  };
  const toggle = (type: EventType, isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, type] : [...chosen].filter((one) => one !== type)));
  return (
    <Dialog title={webhook ? "Change the webhook" : "Create a webhook"} onClose={onClose} isWide>
      <Form
        submit={webhook ? "Save" : "Create the webhook"}
        onSubmit={save}
        command={(values) => ({
          method: webhook ? "PATCH" : "POST",
          path: webhook ? `/api/v1/webhooks/${webhook.id}` : "/api/v1/webhooks",
          body: bodyOf(values),
          // An existing one is changed by the API alone.
          berth: webhook
            ? null
            : [
                ...["webhooks", "create", values.url || "…"],
                ...option("description", values.description),
                ...options("event", bodyOf(values).event_types ?? []),
              ],
        })}
      >
        <Field
          label="Address"
          name="url"
          type="url"
          maxLength={2048}
          isRequired
          autoFocus
          defaultValue={webhook?.url ?? ""}
          placeholder="https://example.com/hooks/berth"
          hint="An https address that the internet reaches. An answer of 2xx within 15 seconds counts as delivered; otherwise Berth tries again for a day."
        />
        <Field
          label="What for"
          name="description"
          maxLength={255}
          defaultValue={webhook?.description ?? ""}
        />
        <ChoiceField
          label="Events"
          value={all ? "all" : "some"}
          onChange={(value) => setAll(value === "all")}
          choices={[
            { value: "all", label: "All, also types that are added later" },
            { value: "some", label: "Some" },
          ]}
        />
        {!all && (
          <fieldset className="choices many">
            <legend>Types of events</legend>
            {EVENT_TYPES.map((type) => (
              <CheckField
                key={type}
                label={<code>{type}</code>}
                checked={chosen.has(type)}
                onChange={({ target }) => toggle(type, target.checked)}
              />
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  );
}
