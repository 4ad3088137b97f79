import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, BerthError, dataOf, type Schemas } from "../../lib/api.ts";
import { type Command, dollarsWord, option } from "../../lib/commands.ts";
import { formatCents, formatDays, plural } from "../../lib/format.ts";
import { chosenDays } from "../../lib/purchase.ts";
import { quotedId } from "../../lib/quoted-id.ts";
import { toast } from "../../lib/toasts.ts";
import { useBalanceAfter } from "../../ui/balance-after.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DurationField } from "../../ui/duration-field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { pricesOf } from "./offers.tsx";
import { PoolChoice } from "./pool-choice.tsx";
import type { Price } from "./price-list.tsx";

const REFUSED_FOR_PRICE = new Set([
  "CHARGE_EXCEEDS_MAX",
  "CHARGE_MISMATCH",
  "SETUP_FEE_CONFIRMATION_REQUIRED",
]);

/** The pool that the server comes into; without one it is the user's own. */
type Pool = { readonly pool_id?: string };
const orderWords = ({ days, rent, setupFee }: Price, { pool_id }: Pool): string[] => [
  ...option("days", days),
  ...option("max-charge", dollarsWord(rent + setupFee)),
  ...option("pool", pool_id),
];
const poolOf = ({ pool_id }: Values): Pool => (pool_id ? { pool_id } : {});

/** Rents a server for what was shown, and never for more. */
export function RentDialog({ server, onClose }: { server: Schemas["AvailableServer"]; onClose: () => void }) {
  const navigate = useNavigate();
  const prices = Object.entries(server.pricing.price_tiers).map(([days, { price, setup_fee }]) => ({
    days: Number(days),
    rent: price,
    setupFee: setup_fee,
  }));
  const bodyOf = ({ days, rent, setupFee }: Price, pool: Pool) => ({
    rental_days: days,
    max_charge_cents: rent + setupFee,
    ...pool,
  });
  return (
    <Order
      title={`Rent ${server.name}`}
      way={`rent=${quotedId(server.id)}`}
      submit={(total) => `Rent for ${formatCents(total)}`}
      prices={prices}
      onClose={onClose}
      note={
        server.delivered_by_hand &&
        "This server is set up by hand: you pay now, and it is yours from now on, but containers can run on it only when an operator has set it up. We tell you when it is ready."
      }
      commandOf={(price, pool) => ({
        path: `/api/v1/servers/${server.id}/rent`,
        body: bodyOf(price, pool),
        berth: ["servers", "rent", server.name, ...orderWords(price, pool)],
      })}
      onOrder={async (price, pool) => {
        const { days } = price;
        const rental = await dataOf(
          api.POST("/api/v1/servers/{id}/rent", {
            params: { path: { id: server.id } },
            body: bodyOf(price, pool),
          }),
        );
        await refresh(["rentals"], ["marketplace"], ["wallet"]);
        toast(
          `${server.name} is yours for ${formatDays(days)}; ${formatCents(rental.charged_cents)} was charged`,
        );
        await navigate({ to: `/servers/${rental.id}` });
      }}
    />
  );
}

/** Reserves a server that is delivered later. */
export function ReserveDialog({ offer, onClose }: { offer: Schemas["Offer"]; onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const bodyOf = ({ days, rent, setupFee }: Price, pool: Pool) => ({
    days,
    max_charge_cents: rent + setupFee,
    ...pool,
  });
  return (
    <Order
      title={`Reserve ${offer.name}`}
      way={`reserve=${quotedId(offer.id)}`}
      submit={(total) => `Reserve for ${formatCents(total)}`}
      hint={`It is delivered within ${plural(offer.lead_time_hours, "hour")}. Until then you can cancel it, and get everything back.`}
      prices={pricesOf(offer)}
      onClose={onClose}
      commandOf={(price, pool) => ({
        path: `/api/v1/offers/${offer.id}/reserve`,
        body: { ...bodyOf(price, pool), idempotency_key: "…" },
        berth: ["offers", "reserve", offer.name, ...orderWords(price, pool)],
      })}
      onOrder={async (price, pool) => {
        const idempotency_key = `${key}-${price.days}-${price.rent + price.setupFee}`;
        await api.POST("/api/v1/offers/{id}/reserve", {
          params: { path: { id: offer.id } },
          body: { ...bodyOf(price, pool), idempotency_key },
        });
        await refresh(["marketplace"], ["wallet"]);
        toast(`${offer.name} is reserved: Servers shows how far it is`);
        onClose();
      }}
    />
  );
}

interface OrderProps {
  readonly title: string;
  /** What opens it again, in the address of the marketplace. */
  readonly way: string;
  readonly submit: (totalCents: number) => string;
  readonly prices: readonly Price[];
  /** What to know before it is paid. */
  readonly note?: ReactNode;
  readonly hint?: string;
  readonly onClose: () => void;
  readonly onOrder: (price: Price, pool: Pool) => Promise<void>;
  readonly commandOf: (price: Price, pool: Pool) => Omit<Command, "method">;
}

const totalOf = ({ rent, setupFee }: Price): number => rent + setupFee;

/** States the whole: what it costs, with what, and what is left. A price that changed meanwhile is shown and asked again. */
function Order({ title, way, submit, prices, note, hint, onClose, onOrder, commandOf }: OrderProps) {
  // Whoever comes back from a top-up finds the choices of before.
  const before = useSearch({ strict: false }) as { days?: number; pool?: string };
  const [days, setDays] = useState(() => chosenDays(prices, before.days));
  const [refused, setRefused] = useState(false);
  const [first] = useState(() => new Map(prices.map((one) => [one.days, totalOf(one)])));
  const price = prices.find((one) => one.days === days);
  const total = price === undefined ? 0 : totalOf(price);
  const balance = useBalanceAfter(total);
  if (price === undefined) return null;
  // An event may bring the new price before the old one is refused.
  const hasChanged = refused || first.get(days) !== total;
  const order = async (values: Values) => {
    setRefused(false);
    try {
      await onOrder(price, poolOf(values));
    } catch (error) {
      if (error instanceof BerthError && REFUSED_FOR_PRICE.has(error.code)) {
        await refresh(["marketplace"]);
        return setRefused(true);
      }
      throw error;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit(total)}
        isDisabled={balance.isShort}
        onSubmit={order}
        command={(values) => ({ method: "POST", ...commandOf(price, poolOf(values)) })}
      >
        {(values) => (
          <>
            {note && <p className="note warn">{note}</p>}
            {hint && <p className="hint">{hint}</p>}
            <DurationField
              days={days}
              onChange={setDays}
              prices={prices.map((one) => ({ days: one.days, cents: one.rent }))}
            />
            <PoolChoice chosen={before.pool} />
            {hasChanged && (
              <p className="note warn" role="alert">
                The price has changed meanwhile, and nothing was charged. The new one is below: do you still
                want it?
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
              {balance.row}
            </dl>
            {balance.noteFor(
              `/marketplace?${way}&days=${days}${values.pool_id ? `&pool=${quotedId(values.pool_id)}` : ""}`,
            )}
            <p className="hint">
              You never pay more than this total. It ends by itself unless you extend it.
            </p>
          </>
        )}
      </Form>
    </Dialog>
  );
}
