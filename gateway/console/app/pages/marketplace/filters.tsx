import { useState } from "react";
import { formatDays } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { DISK_CHOICES } from "../../ui/specs.tsx";
import { CountryField } from "./country-field.tsx";

/** What the list is narrowed and sorted by; it stands in the address, under the API's own names. */
export const SEARCHED = [
  "country",
  "max_price_per_day",
  "min_cpu_cores",
  "min_ram_gb",
  "min_total_storage_gb",
  "disk_types",
  "available_durations",
  "category",
  "sort",
] as const;
export type Search = Partial<Record<(typeof SEARCHED)[number], string>>;

/** Of the prices of a server, the lowest a day counts. */
const ORDERS = [
  { value: "", label: "cheapest first" },
  { value: "-price_per_day", label: "most expensive first" },
  { value: "name", label: "by name" },
  { value: "-created_at", label: "newest first" },
] as const;
export type Order = Exclude<(typeof ORDERS)[number]["value"], "">;

const AT_LEAST = [
  { name: "min_cpu_cores", label: "Cores", unit: "", steps: ["2", "4", "8", "16", "32", "64"] },
  { name: "min_ram_gb", label: "Memory", unit: " GiB", steps: ["2", "4", "8", "16", "32", "64", "128"] },
  {
    name: "min_total_storage_gb",
    label: "Storage",
    unit: " GB",
    steps: ["50", "100", "500", "1000", "4000"],
  },
] as const;

interface FiltersProps {
  readonly search: Search;
  readonly onSearch: (search: Search) => void;
}

/** Where there is little room they are behind a button, so that the servers come first. */
export function Filters({ search, onSearch }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(search).filter((name) => name !== "sort").length;
  return (
    <>
      <div className="filters-button">
        <Button aria-expanded={isOpen} aria-controls="filters" onPress={() => setOpen(!isOpen)}>
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <search id="filters" className="filters" aria-label="Servers" data-open={isOpen || undefined}>
        <Fields search={search} onSearch={onSearch} />
      </search>
    </>
  );
}

function Fields({ search, onSearch }: FiltersProps) {
  const set = (name: keyof Search) => (value: string) => {
    const { [name]: _, ...rest } = search;
    onSearch(value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <>
      <CountryField value={(search.country ?? "").toUpperCase()} onChange={set("country")} />
      <Typed
        label="Daily price up to"
        unit="$"
        inputMode="decimal"
        value={search.max_price_per_day ?? ""}
        isWhole={(text) => /^(\d{1,9}(\.\d{1,4})?)?$/.test(text)}
        onWhole={set("max_price_per_day")}
      />
      {AT_LEAST.map(({ name, label, unit, steps }) => (
        <ChoiceField
          key={name}
          label={label}
          value={search[name] ?? ""}
          onChange={set(name)}
          choices={[
            { value: "", label: "any" },
            ...steps.map((value) => ({ value, label: `${value}${unit} or more` })),
          ]}
        />
      ))}
      <ChoiceField
        label="Disks"
        value={search.disk_types ?? ""}
        onChange={set("disk_types")}
        choices={[{ value: "", label: "any" }, ...DISK_CHOICES]}
      />
      <ChoiceField
        label="Rented for"
        value={search.available_durations ?? ""}
        onChange={set("available_durations")}
        choices={[
          { value: "", label: "any time" },
          ...["1", "7", "30", "90", "365"].map((value) => ({ value, label: formatDays(Number(value)) })),
        ]}
      />
      <ChoiceField
        label="Made for"
        value={search.category ?? ""}
        onChange={set("category")}
        choices={[
          { value: "", label: "anything" },
          ...["general", "compute", "memory", "storage", "gpu"].map((value) => ({ value, label: value })),
        ]}
      />
      <ChoiceField label="Order" value={search.sort ?? ""} onChange={set("sort")} choices={ORDERS} />
    </>
  );
}

interface TypedProps extends Omit<Parameters<typeof Field>[0], "value" | "onChange"> {
  readonly value: string;
  readonly isWhole: (text: string) => boolean;
  readonly onWhole: (text: string) => void;
}

/** A field whose text becomes a filter when it is whole: a figure that ends with its point is none yet. */
function Typed({ value, isWhole, onWhole, ...props }: TypedProps) {
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  // "Show all" empties the fields as well.
  if (from !== value) {
    setFrom(value);
    if (text !== value) setText(value);
  }
  const change = (next: string) => {
    setText(next);
    if (isWhole(next)) onWhole(next);
  };
  return <Field {...props} value={text} onChange={change} />;
}
