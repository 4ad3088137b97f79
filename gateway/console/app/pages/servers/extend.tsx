import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { dollarsWord, option } from "../../lib/commands.ts";
import { formatCents, formatDateTime } from "../../lib/format.ts";
import { chosenDays } from "../../lib/purchase.ts";
import { toast } from "../../lib/toasts.ts";
import { useBalanceAfter } from "../../ui/balance-after.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DurationField } from "../../ui/duration-field.tsx";
import { Form } from "../../ui/form.tsx";

const DAY_MS = 86_400_000;

/** Moves the end of a rental, for the price that was fixed when it began or less. */
export function ExtendDialog({ rental, onClose }: { rental: Schemas["Rental"]; onClose: () => void }) {
  const prices = Object.entries(rental.renewal_prices ?? {}).map(([days, cents]) => ({
    days: Number(days),
    cents,
  }));
  // Whoever comes back from a top-up finds the choice of before.
  const asked = useSearch({ strict: false }) as { days?: number };
  const [days, setDays] = useState(() => chosenDays(prices, asked.days));
  const price = prices.find((one) => one.days === days);
  const balance = useBalanceAfter(price?.cents ?? 0);
  if (price === undefined) return <NoPrices title={`Extend ${rental.server_name}`} onClose={onClose} />;
  const body = {
    expected_rental_end: rental.rental_end,
    additional_days: days,
    max_charge_cents: price.cents,
  };
  const extend = async () => {
    const { rental_end, charged_cents } = await dataOf(
      api.POST("/api/v1/rentals/{id}/extend", { params: { path: { id: rental.id } }, body }),
    );
    await refresh(["rentals"], ["wallet"]);
    toast(`It ends on ${formatDateTime(rental_end)}; ${formatCents(charged_cents)} was charged`);
    onClose();
  };
  return (
    <Dialog title={`Extend ${rental.server_name}`} onClose={onClose}>
      <Form
        submit={`Extend for ${formatCents(price.cents)}`}
        onSubmit={extend}
        command={() => ({
          method: "POST",
          path: `/api/v1/rentals/${rental.id}/extend`,
          body,
          berth: [
            ...["servers", "extend", rental.server_name],
            ...option("days", days),
            ...option("max-charge", dollarsWord(price.cents)),
          ],
        })}
      >
        <DurationField days={days} onChange={setDays} prices={prices} />
        <dl className="sum">
          <div>
            <dt>It ends now on</dt>
            <dd>{formatDateTime(rental.rental_end)}</dd>
          </div>
          <div>
            <dt>Then it ends on</dt>
            <dd>
              {formatDateTime(new Date(new Date(rental.rental_end).getTime() + days * DAY_MS).toISOString())}
            </dd>
          </div>
          <div className="total">
            <dt>At most</dt>
            <dd>{formatCents(price.cents)}</dd>
          </div>
          {balance.row}
        </dl>
        {balance.noteFor(`/servers/${rental.id}?open=extend&days=${days}`)}
        <p className="hint">The price of today is charged where it is lower.</p>
      </Form>
    </Dialog>
  );
}

export const NoPrices = ({ title, onClose }: { title: string; onClose: () => void }) => (
  <Dialog title={title} onClose={onClose}>
    <p>No price was fixed for this rental. An administrator can extend it.</p>
  </Dialog>
);
