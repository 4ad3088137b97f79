import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, BerthError, type Schemas } from "../../lib/api.ts";
import { dollarsWord, option } from "../../lib/commands.ts";
import { formatCents, formatDateTime, formatDays } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { useBalances } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Status } from "../../ui/status.tsx";
import { NoPrices } from "./extend.tsx";

type Rental = Schemas["Rental"];

const FAILURES: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: "your balance is too low",
  CHARGE_EXCEEDS_MAX: "it costs more than you allow",
  PRICE_NOT_FOUND: "this time has no price any more",
};

/** Whether the rental extends itself, what that costs and when. */
export const AutoExtension = ({
  rental: { auto_extension: auto },
  onChange,
}: {
  rental: Rental;
  onChange: () => void;
}) => (
  <>
    {auto
      ? `By ${formatDays(auto.additional_days)} for ${formatCents(Math.min(auto.price_cents ?? Number.POSITIVE_INFINITY, auto.max_charge_cents))} `
      : "no "}
    <Button look="quiet" onPress={onChange}>
      {auto ? "Change" : "Let it extend itself"}
    </Button>
    {auto?.last_failure && (
      <div>
        <Status tone="warn">{`Could not be extended: ${FAILURES[auto.last_failure.code] ?? "the wallet did not answer"}`}</Status>{" "}
        {auto.last_failure.code === "INSUFFICIENT_BALANCE" && (
          <Link to={"/wallet" as "."} search={{ top_up: true } as never}>
            Top up
          </Link>
        )}
      </div>
    )}
    {auto?.next_at && (
      <div className="hint">
        {auto.last_failure ? "Tried again" : "Next"} on {formatDateTime(auto.next_at)}
      </div>
    )}
  </>
);

/** Switches it on, changes it, or switches it off. */
export function AutoExtendDialog({ rental, onClose }: { rental: Rental; onClose: () => void }) {
  const { id, server_name, auto_extension: auto, renewal_prices } = rental;
  const prices = Object.entries(renewal_prices ?? {});
  const [days, setDays] = useState(String(auto?.additional_days ?? prices[0]?.[0] ?? ""));
  /** Until it is typed, each time has its own price. */
  const [typed, setTyped] = useState(auto ? dollarsWord(auto.max_charge_cents) : undefined);
  const balances = useBalances().data;
  const balance = balances && Math.round(Number(balances.general_balance) * 100);
  const request = { params: { path: { id } } };
  const done = async (message: string, work: () => Promise<unknown>) => {
    await perform(message, work, ["rentals"], ["wallet"]);
    onClose();
  };
  const bodyOf = ({ max = "" }: Values) => ({
    additional_days: Number(days),
    max_charge_cents: Math.round(Number(max) * 100),
  });
  // The price of today, where it is known.
  const price =
    Number(days) === auto?.additional_days && auto.price_cents !== null
      ? auto.price_cents
      : (renewal_prices?.[days] ?? 0);
  const first = firstAt(rental, Number(days));
  const isNow = first !== null && first <= Date.now();
  const max = typed ?? dollarsWord(price);
  const submit = auto ? "Save" : "Let it extend itself";
  const title = `Let ${server_name} extend itself`;
  if (auto === null && prices.length === 0) return <NoPrices title={title} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={isNow ? `Extend now for ${formatCents(price)}` : submit}
        onSubmit={(values) =>
          done("The rental extends itself", () =>
            api
              .PUT("/api/v1/rentals/{id}/auto-extension", { ...request, body: bodyOf(values) })
              .catch(nameThePrice),
          )
        }
        fieldOf={{ CHARGE_EXCEEDS_MAX: "max", max_charge_cents: "max" }}
        actions={
          auto && (
            <Button
              onPress={() =>
                done("The rental extends itself no longer", () =>
                  api.DELETE("/api/v1/rentals/{id}/auto-extension", request),
                )
              }
            >
              Switch it off
            </Button>
          )
        }
        command={(values) => ({
          method: "PUT",
          path: `/api/v1/rentals/${id}/auto-extension`,
          body: bodyOf(values),
          berth: [
            ...["servers", "auto-extend", server_name],
            ...option("days", days),
            ...option("max-charge", values.max),
          ],
        })}
      >
        <ChoiceField
          label="By how much at a time"
          value={days}
          onChange={setDays}
          choices={prices.map(([value, cents]) => ({
            value,
            label: `${formatDays(Number(value))}: ${formatCents(cents)}`,
          }))}
        />
        <Field
          label="At most, each time"
          name="max"
          unit="$"
          inputMode="decimal"
          pattern="[0-9]{1,9}(\.[0-9]{1,2})?"
          value={max}
          onChange={setTyped}
          isRequired
          hint="The price of today is charged where it is lower. Above this nothing is charged, and we tell you."
        />
        {isNow ? (
          <p className="note warn" role="status">
            Its end is near: it is extended and charged now, {formatCents(price)} at most.{" "}
            {balance !== undefined &&
              (balance < price
                ? `Your balance of ${formatCents(balance)} is too low for that.`
                : `Your balance is ${formatCents(balance - price)} then.`)}
          </p>
        ) : (
          <p className="hint">
            {first === null
              ? "First before the end of the time that begins when the server is ready."
              : `First on ${formatDateTime(new Date(first).toISOString())}.`}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

/** The API names fields of a request; a person wants to know the price. */
function nameThePrice(error: unknown): never {
  if (error instanceof BerthError && error.code === "CHARGE_EXCEEDS_MAX")
    error.message = `One extension costs ${formatCents(Number(error.data.total_cents))}; raise the most that it may cost.`;
  throw error;
}

const DAY_MS = 86_400_000;

/** When it is first extended, as the API decides: a day before the end, or in the last quarter of a short time; null: the time has not begun. */
const firstAt = ({ rental_end, awaits_delivery }: Rental, days: number): number | null =>
  awaits_delivery ? null : Date.parse(rental_end) - Math.min(DAY_MS, (days * DAY_MS) / 4);
