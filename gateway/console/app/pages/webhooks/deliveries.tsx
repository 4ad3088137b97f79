import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDateTime, formatNumber } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, Facts, Loaded } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { DeliveryState } from "./state.tsx";

type Delivery = Schemas["WebhookDelivery"];
type Status = Schemas["DeliveryStatus"];

/** A delivery makes no event, so that the list looks for itself while it is on the screen. */
const LOOKED_MS = 3_000;

/** What was sent, what came back, and a way to send it again. */
export function Deliveries({ id }: { id: string }) {
  const [{ status = "" }, change] = useFilters(["status"]);
  const [shown, setShown] = useState<string>();
  const query = useList(
    ["webhooks", id, "deliveries", status],
    async (cursor) => {
      const query = { ...(status === "" ? {} : { status: status as Status }), ...from(cursor) };
      const { deliveries, pagination } = await dataOf(
        api.GET("/api/v1/webhooks/{id}/deliveries", { params: { path: { id }, query } }),
      );
      return { items: deliveries, next: pagination.next_cursor };
    },
    { everyMs: LOOKED_MS },
  );
  return (
    <>
      <div className="filters">
        <ChoiceField
          label="State"
          value={status}
          onChange={(status) => change({ status })}
          choices={["", "pending", "delivered", "failed"].map((value) => ({ value, label: value || "any" }))}
        />
      </div>
      <LoadedList
        query={query}
        empty={
          <Empty icon="event" title="No deliveries">
            Send a test to see whether the address answers.
          </Empty>
        }
      >
        {(deliveries) => (
          <Table
            caption="Deliveries"
            columns={columnsOf(setShown)}
            rows={deliveries}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      {shown && <OneDelivery id={id} deliveryId={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

const columnsOf = (onShow: (id: string) => void): readonly Column<Delivery>[] => [
  { title: "Event", cell: ({ event_type }) => <code>{event_type}</code> },
  { title: "State", cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { title: "Answer", cell: ({ response_status, error }) => response_status ?? error ?? "–" },
  { title: "Attempts", cell: ({ attempts }) => formatNumber(attempts), isFigure: true, isMinor: true },
  { title: "When", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
  {
    title: "More",
    isActions: true,
    cell: ({ id, webhook_id, event_type }) => (
      <>
        <Button look="quiet" aria-label={`Show the delivery of ${event_type}`} onPress={() => onShow(id)}>
          Show
        </Button>
        <Button
          look="quiet"
          aria-label={`Send again: ${event_type}`}
          onPress={() => redeliver(webhook_id, id)}
        >
          Send again
        </Button>
      </>
    ),
  },
];

const redeliver = (id: string, delivery_id: string) =>
  act(
    "It is sent again",
    () =>
      api.POST("/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver", {
        params: { path: { id, delivery_id } },
      }),
    ["webhooks", id],
  );

function OneDelivery({ id, deliveryId, onClose }: { id: string; deliveryId: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: ["webhooks", id, "deliveries", "one", deliveryId],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/webhooks/{id}/deliveries/{delivery_id}", {
          params: { path: { id, delivery_id: deliveryId } },
        }),
      ),
  });
  return (
    <Dialog title="Delivery" onClose={onClose} isWide>
      <Loaded query={query}>
        {(delivery) => (
          <div className="stack">
            <Facts
              facts={[
                ["State", <DeliveryState key="state" delivery={delivery} />],
                ["Attempts", formatNumber(delivery.attempts)],
                ...(delivery.status === "pending" && delivery.next_attempt_at !== null
                  ? [["Next attempt", formatDateTime(delivery.next_attempt_at)] as const]
                  : []),
                ["Status code", delivery.response_status ?? "–"],
                ["Error", delivery.error ?? "–"],
                ["Took", delivery.duration_ms === null ? "–" : `${formatNumber(delivery.duration_ms)} ms`],
                ["Message id", <code key="id">{delivery.message_id}</code>],
              ]}
            />
            <h3>What was sent</h3>
            <pre>{indented(delivery.payload)}</pre>
            <h3>What came back</h3>
            <pre>{indented(delivery.response_body ?? "nothing")}</pre>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

/** JSON on lines of its own, other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
