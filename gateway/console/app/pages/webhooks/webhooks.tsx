import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { from, useList } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ShownOnce } from "../account/shown-once.tsx";
import { AccountHead } from "../account/tabs.tsx";
import { stateOf } from "./state.tsx";
import { WebhookForm } from "./webhook-form.tsx";

type Webhook = Schemas["Webhook"];

/** Addresses to which the account's events are sent. */
export default function WebhooksPage() {
  const [creates, setCreates] = useState(false);
  useAsked(() => setCreates(true));
  const [secret, setSecret] = useState<string>();
  const query = useList(["webhooks", "list"], async (cursor) => {
    const { webhooks, pagination } = await dataOf(
      api.GET("/api/v1/webhooks", { params: { query: from(cursor) } }),
    );
    return { items: webhooks, next: pagination.next_cursor };
  });
  return (
    <>
      <AccountHead>
        <Button look="primary" icon="plus" onPress={() => setCreates(true)}>
          Create a webhook
        </Button>
      </AccountHead>
      <LoadedList
        query={query}
        empty={
          <Empty
            icon="event"
            title="No webhooks yet"
            action={<Button onPress={() => setCreates(true)}>Create the first webhook</Button>}
          >
            A webhook sends your events to an address of yours as they happen, signed, and again when they do
            not arrive.
          </Empty>
        }
      >
        {(webhooks) => (
          <Table
            caption="Webhooks"
            columns={COLUMNS}
            rows={webhooks}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/account/webhooks/${id}`}
          />
        )}
      </LoadedList>
      {creates && (
        <WebhookForm
          onClose={() => setCreates(false)}
          onCreated={(created) => {
            setCreates(false);
            setSecret(created ?? undefined);
          }}
        />
      )}
      {secret && <ShownOnce title="The secret" secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { title: "Address", cell: ({ url }) => url },
  { title: "What for", cell: ({ description }) => description },
  {
    title: "Events",
    cell: ({ event_types }) => (event_types === null ? "all" : event_types.join(", ")),
  },
  { title: "State", cell: stateOf },
  { title: "Created", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
];
