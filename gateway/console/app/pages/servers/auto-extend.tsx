import { useState } from "react";
import { api, type Schemas } from "../../lib/api.ts";
import { dollarsWord, option } from "../../lib/commands.ts";
import { formatCents, formatDateTime, formatDays } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

type Rental = Schemas["Rental"];

/** Whether the rental extends itself, what that costs and when. */
export function AutoExtension({ rental, onChange }: { rental: Rental; onChange: () => void }) {
  const auto = rental.auto_extension;
  return (
    <div
      className={auto?.last_failure ? "note stack" : "stack"}
      role={auto?.last_failure ? "status" : undefined}
    >
      <div>
        <strong>{auto ? "Extends itself" : "Does not extend itself"}</strong>
        <p className="hint">
          {auto ? planOf(auto, rental) : "It ends when its time is over, unless you extend it."}
        </p>
      </div>
      {auto?.last_failure && <p>{failureOf(auto, rental)}</p>}
      <div>
        <Button onPress={onChange}>{auto ? "Change" : "Let it extend itself"}</Button>
      </div>
    </div>
  );
}

type Auto = NonNullable<Rental["auto_extension"]>;

const planOf = (
  { additional_days, price_cents, max_charge_cents, next_at }: Auto,
  rental: Rental,
): string => {
  const cost =
    price_cents === null || price_cents > max_charge_cents
      ? `${formatCents(max_charge_cents)} at most`
      : formatCents(price_cents);
  const when = next_at
    ? `, next on ${formatDateTime(next_at)}`
    : rental.awaits_delivery
      ? ", once the server is ready"
      : "";
  return `By ${formatDays(additional_days)} for ${cost}${when}.`;
};

function failureOf({ last_failure, max_charge_cents }: Auto, { rental_end }: Rental): string {
  const price = formatCents(last_failure?.price_cents ?? 0);
  const end = `It ends on ${formatDateTime(rental_end)}.`;
  if (last_failure?.code === "INSUFFICIENT_BALANCE")
    return `It could not be extended: ${price} are more than your balance. Top up, and it is tried again. ${end}`;
  if (last_failure?.code === "CHARGE_EXCEEDS_MAX")
    return `It could not be extended: ${price} are more than the ${formatCents(max_charge_cents)} that you allow. ${end}`;
  if (last_failure?.code === "PRICE_NOT_FOUND")
    return `It could not be extended: the time that you chose has no price any more. ${end}`;
  return `It could not be extended yet, and is tried again. ${end}`;
}

/** Switches it on, changes it, or switches it off. */
export function AutoExtendDialog({ rental, onClose }: { rental: Rental; onClose: () => void }) {
  const { id, server_name, auto_extension: auto, renewal_prices } = rental;
  const prices = Object.entries(renewal_prices ?? {});
  const [days, setDays] = useState(String(auto?.additional_days ?? prices[0]?.[0] ?? ""));
  const price = renewal_prices?.[days];
  const request = { params: { path: { id } } };
  const path = `/api/v1/rentals/${id}/auto-extension`;
  const done = async (message: string, work: () => Promise<unknown>) => {
    await perform(message, work, ["rentals"], ["wallet"]);
    onClose();
  };
  const bodyOf = ({ max = "" }: Values) => ({
    additional_days: Number(days),
    max_charge_cents: Math.round(Number(max) * 100),
  });
  if (price === undefined && auto === null)
    return (
      <Dialog title={`Extend ${server_name} by itself`} onClose={onClose}>
        <p>No price was fixed for this rental.</p>
      </Dialog>
    );
  return (
    <Dialog title={`Extend ${server_name} by itself`} onClose={onClose}>
      <Form
        submit={auto ? "Save" : "Let it extend itself"}
        onSubmit={(values) =>
          done("The rental extends itself", () =>
            api.PUT("/api/v1/rentals/{id}/auto-extension", { ...request, body: bodyOf(values) }),
          )
        }
        fieldOf={{ CHARGE_EXCEEDS_MAX: "max", max_charge_cents: "max" }}
        actions={
          auto && (
            <Button
              onPress={() =>
                void done("The rental extends itself no longer", () =>
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
          path,
          body: bodyOf(values),
          berth: [
            ...["servers", "auto-extend", server_name],
            ...option("days", days),
            ...option("max-charge", dollarsWord(bodyOf(values).max_charge_cents)),
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
          // Another time has another price.
          key={days}
          label="At most, each time"
          name="max"
          unit="$"
          inputMode="decimal"
          pattern="[0-9]{1,9}(\.[0-9]{1,2})?"
          defaultValue={dollarsWord(
            auto && days === String(auto.additional_days) ? auto.max_charge_cents : (price ?? 0),
          )}
          isRequired
          hint="The price of today is charged where it is lower. Above this nothing is charged, and we tell you."
        />
        <p className="hint">{firstOf(rental, Number(days))}</p>
      </Form>
    </Dialog>
  );
}

const DAY_MS = 86_400_000;

/** When it is first extended, as the API decides: a day before the end, or in the last quarter of a short time. */
function firstOf({ rental_end, awaits_delivery }: Rental, days: number): string {
  if (awaits_delivery)
    return "It is first extended before the end of the time that begins when the server is ready.";
  const at = Date.parse(rental_end) - Math.min(DAY_MS, (days * DAY_MS) / 4);
  return at <= Date.now()
    ? "It is extended now, since its end is near."
    : `It is first extended on ${formatDateTime(new Date(at).toISOString())}.`;
}
