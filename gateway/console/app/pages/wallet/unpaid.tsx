import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatMoney } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { DateTime } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Intent = Schemas["PaymentIntent"];
const QUERY_KEY = ["wallet", "unpaid"];

export const useUnpaid = () =>
  useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => {
      const [card, crypto] = await Promise.all([
        dataOf(api.GET("/api/v1/wallet/payments/cardpay/intents")),
        dataOf(api.GET("/api/v1/wallet/payments/cryptopay/intents")),
      ]);
      return [...card.intents, ...crypto.intents].filter(({ status }) => status === "pending");
    },
  });

/** Top-ups that wait for their payment. Nothing stands here without any. */
export function UnpaidTopUps() {
  const [cancelled, setCancelled] = useState<Intent>();
  const { data = [] } = useUnpaid();
  if (data.length === 0) return null;
  return (
    <Section title="Not paid yet">
      <Table
        caption="Top-ups that are not paid yet"
        columns={[...COLUMNS, cancelColumn(setCancelled)]}
        rows={data}
        keyOf={({ id }) => id}
      />
      {cancelled && <CancelDialog intent={cancelled} onClose={() => setCancelled(undefined)} />}
    </Section>
  );
}

const COLUMNS: readonly Column<Intent>[] = [
  {
    title: "Top-up",
    cell: ({ amount, redirect_url }) =>
      redirect_url === null ? formatMoney(amount) : <a href={redirect_url}>Pay {formatMoney(amount)}</a>,
  },
  {
    title: "Ends by itself",
    cell: ({ expires_at }) => (expires_at === null ? "–" : <DateTime at={expires_at} />),
  },
];

const cancelColumn = (onCancel: (intent: Intent) => void): Column<Intent> => ({
  title: "Cancel",
  isActions: true,
  cell: (intent) => (
    <Button look="remove" icon="close" onPress={() => onCancel(intent)}>
      Cancel
    </Button>
  ),
});

function CancelDialog({ intent, onClose }: { intent: Intent; onClose: () => void }) {
  const { id, provider, amount } = intent;
  const request = { params: { path: { id } } };
  return (
    <Confirm
      title={`Cancel the top-up of ${formatMoney(amount)}?`}
      action="Cancel the top-up"
      isDangerous
      onClose={onClose}
      onConfirm={() =>
        perform(
          "The top-up is cancelled",
          () =>
            provider === "cardpay"
              ? api.POST("/api/v1/wallet/payments/cardpay/intents/{id}/cancel", request)
              : api.POST("/api/v1/wallet/payments/cryptopay/intents/{id}/cancel", request),
          QUERY_KEY,
        )
      }
      command={{
        method: "POST",
        path: `/api/v1/wallet/payments/${provider}/intents/${id}/cancel`,
        berth: [...["wallet", "cancel-top-up", id], ...(provider === "cardpay" ? [] : ["--by", "crypto"])],
      }}
    >
      <p>Its payment page is no longer needed. A payment that still arrives is added.</p>
    </Confirm>
  );
}
