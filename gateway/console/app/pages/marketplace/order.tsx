import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, BerthError, dataOf, type Schemas } from "../../lib/api.ts";
import { formatCents, formatDays, formatMoney } from "../../lib/format.ts";
import { useBalances } from "../../lib/reads.ts";
import { toast } from "../../lib/toasts.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { setupFeeOf } from "./marketplace.tsx";

interface Price {
  readonly days: number;
  readonly rent: number;
  readonly setupFee: number;
}

const REFUSED_FOR_PRICE = new Set([
  "CHARGE_EXCEEDS_MAX",
  "CHARGE_MISMATCH",
  "SETUP_FEE_CONFIRMATION_REQUIRED",
]);

/** Rents a server for what was shown, and never for more. */
export function RentDialog({ server, onClose }: { server: Schemas["AvailableServer"]; onClose: () => void }) {
  const navigate = useNavigate();
  const prices = Object.entries(server.pricing.price_tiers).map(([days, { price, setup_fee }]) => ({
    days: Number(days),
    rent: price,
    setupFee: setup_fee,
  }));
  return (
    <Order
      title={`Rent ${server.name}`}
      submit={(total) => `Rent for ${formatCents(total)}`}
      prices={prices}
      onClose={onClose}
      commandOf={({ days, rent, setupFee }) => ({
        path: `/api/v1/servers/${server.id}/rent`,
        body: { rental_days: days, max_charge_cents: rent + setupFee },
      })}
      onOrder={async ({ days, rent, setupFee }) => {
        const rental = await dataOf(
          api.POST("/api/v1/servers/{id}/rent", {
            params: { path: { id: server.id } },
            body: { rental_days: days, max_charge_cents: rent + setupFee },
          }),
        );
        await refresh(["rentals"], ["marketplace"], ["wallet"]);
        toast(
          `${server.name} is yours for ${formatDays(days)}; ${formatCents(rental.charged_cents)} were charged`,
        );
        await navigate({ to: `/servers/${rental.id}` });
      }}
    />
  );
}

/** Reserves a server that is delivered later. */
export function ReserveDialog({ offer, onClose }: { offer: Schemas["Offer"]; onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const prices = Object.entries(offer.pricing_rules).map(([days, rent]) => ({
    days: Number(days),
    rent,
    setupFee: setupFeeOf(offer, Number(days)),
  }));
  const bodyOf = ({ days, rent, setupFee }: Price) => ({ days, max_charge_cents: rent + setupFee });
  return (
    <Order
      title={`Reserve ${offer.name}`}
      submit={(total) => `Reserve for ${formatCents(total)}`}
      prices={prices}
      onClose={onClose}
      commandOf={(price) => ({
        path: `/api/v1/offers/${offer.id}/reserve`,
        body: { ...bodyOf(price), idempotency_key: "…" },
      })}
      onOrder={async (price) => {
        await api.POST("/api/v1/offers/{id}/reserve", {
          params: { path: { id: offer.id } },
          body: { ...bodyOf(price), idempotency_key: `${key}-${price.days}-${price.rent + price.setupFee}` },
        });
        await refresh(["marketplace"], ["wallet"]);
        toast(`${offer.name} is reserved`);
        onClose();
      }}
    />
  );
}

interface OrderProps {
  readonly title: string;
  readonly submit: (totalCents: number) => string;
  readonly prices: readonly Price[];
  readonly onClose: () => void;
  readonly onOrder: (price: Price) => Promise<void>;
  readonly commandOf: (price: Price) => { path: string; body: unknown };
}

/** States the whole: what it costs, with what, and what is left. A price that changed meanwhile is shown and asked again. */
function Order({ title, submit, prices, onClose, onOrder, commandOf }: OrderProps) {
  const [days, setDays] = useState(prices[0]?.days ?? 0);
  const [changed, setChanged] = useState(false);
  const balance = useBalances().data?.general_balance;
  const price = prices.find((one) => one.days === days);
  if (price === undefined) return null;
  const total = price.rent + price.setupFee;
  const left = balance === undefined ? undefined : Number(balance) - total / 100;
  const order = async () => {
    try {
      await onOrder(price);
    } catch (error) {
      if (error instanceof BerthError && REFUSED_FOR_PRICE.has(error.code)) {
        setChanged(true);
        await refresh(["marketplace"]);
      }
      throw error;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit(total)}
        isDisabled={left !== undefined && left < 0}
        onSubmit={order}
        command={() => ({ method: "POST", ...commandOf(price) })}
      >
        <ChoiceField
          label="For how long"
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          choices={prices.map((one) => ({
            value: String(one.days),
            label: `${formatDays(one.days)}: ${formatCents(one.rent)}`,
          }))}
        />
        {changed && (
          <p className="note warn">
            The price has changed. Close this, look at the new one, and order again.
          </p>
        )}
        <dl className="sum">
          <div>
            <dt>Rent for {formatDays(days)}</dt>
            <dd>{formatCents(price.rent)}</dd>
          </div>
          <div>
            <dt>Setup, once</dt>
            <dd>{formatCents(price.setupFee)}</dd>
          </div>
          <div className="total">
            <dt>Total</dt>
            <dd>{formatCents(total)}</dd>
          </div>
          <div>
            <dt>Your balance after it</dt>
            <dd>{left === undefined ? "…" : left < 0 ? "not enough" : formatMoney(left)}</dd>
          </div>
        </dl>
        {left !== undefined && left < 0 && (
          <p className="note warn">
            <span>Your balance of {formatMoney(balance ?? 0)} is not enough.</span>
            <ButtonLink to="/wallet">Top up</ButtonLink>
          </p>
        )}
        <p className="hint">
          Nothing more than the total is ever charged: it is sent as the ceiling. It ends by itself unless you
          extend it.
        </p>
      </Form>
    </Dialog>
  );
}
