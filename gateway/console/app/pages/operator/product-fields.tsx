import type { Schemas } from "../../lib/api.ts";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";
import { DISK_CHOICES } from "../../ui/specs.tsx";

type Specs = Schemas["ServerSpecs"];

/** What is sold: the figures by which customers filter, and what each length of rent costs. */
export const ProductFields = ({
  specs = {},
  prices = {},
  setupCents = 0,
}: {
  specs?: Specs;
  prices?: Schemas["Prices"];
  setupCents?: number;
}) => (
  <>
    <div className="field-row">
      <Field
        label="Country"
        name="country"
        defaultValue={specs.country ?? ""}
        maxLength={2}
        placeholder="DE"
      />
      <Field label="City" name="city" defaultValue={specs.city ?? ""} maxLength={64} />
    </div>
    <div className="field-row">
      <Figure label="Cores" name="cpu_cores" value={specs.cpu_cores} />
      <Figure label="Memory, GiB" name="ram_gb" value={specs.ram_gb} />
    </div>
    <div className="field-row">
      <ChoiceField
        label="Disk type"
        name="disk_type"
        defaultValue={specs.disks?.[0]?.type ?? "nvme"}
        choices={DISK_CHOICES}
      />
      <Figure label="Disk, GB" name="disk_gb" value={specs.disks?.[0]?.size_gb} />
    </div>
    <Field
      label="Prices"
      name="prices"
      lines={3}
      isRequired
      defaultValue={textOfPrices(prices)}
      placeholder={"1 1.50\n30 30.00"}
      hint="A line for each length of rent: the days, then the price in dollars."
    />
    <Field
      label="Setup fee"
      name="setup_fee"
      unit="$"
      inputMode="decimal"
      pattern="\d{1,9}(\.\d{1,2})?"
      mismatch="An amount, such as 2.50."
      defaultValue={dollarsOf(setupCents)}
    />
    <CheckField name="featured" label="Featured" defaultChecked={specs.featured ?? false} />
  </>
);

const Figure = ({ label, name, value }: { label: string; name: string; value: number | undefined }) => (
  <Field label={label} name={name} inputMode="numeric" pattern="\d{1,9}" defaultValue={String(value ?? "")} />
);

const dollarsOf = (cents: number) => (cents / 100).toFixed(2);
const centsOf = (dollars: string) => Math.round(Number(dollars) * 100);

const textOfPrices = (prices: Schemas["Prices"]) =>
  Object.entries(prices)
    .map(([days, cents]) => `${days} ${dollarsOf(cents)}`)
    .join("\n");

const PRICE_LINE = /^(\d{1,4})[ =:]+\$?(\d{1,9}(?:\.\d{1,2})?)$/;

/** @throws Error for a line that is no price; where nothing is sent yet, such lines are left out */
export function pricesOf({ prices = "" }: Values, isStrict = false): Record<string, number> {
  const lines = prices.split("\n").map((line) => line.trim());
  const found = lines.filter(Boolean).map((line) => [line, PRICE_LINE.exec(line)] as const);
  const wrong = found.find(([, match]) => match === null);
  if (isStrict && wrong !== undefined)
    throw new Error(`"${wrong[0]}" is no price: write the days, then the dollars, such as 30 19.00`);
  return Object.fromEntries(
    found.flatMap(([, match]) => (match ? [[match[1], centsOf(match[2] ?? "")]] : [])),
  );
}

export const setupCentsOf = ({ setup_fee = "0" }: Values): number => centsOf(setup_fee || "0");

/** What the form says, over what the form does not show. */
export function specsOf(values: Values, former: Specs = {}): Specs {
  const { country, city, cpu_cores, ram_gb, disk_type, disk_gb, featured } = values;
  const { country: _, city: __, cpu_cores: ___, ram_gb: ____, disks = [], featured: _____, ...rest } = former;
  return {
    ...rest,
    ...(country ? { country: country.toUpperCase() } : {}),
    ...(city ? { city } : {}),
    ...(cpu_cores ? { cpu_cores: Number(cpu_cores) } : {}),
    ...(ram_gb ? { ram_gb: Number(ram_gb) } : {}),
    ...(disk_gb
      ? { disks: [{ type: disk_type as "ssd", size_gb: Number(disk_gb) }, ...disks.slice(1)] }
      : {}),
    ...(featured ? { featured: true } : {}),
  };
}
