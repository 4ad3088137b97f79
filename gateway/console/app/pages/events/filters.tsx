import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "../../lib/api.ts";
import { typeWords } from "../../lib/event-types.ts";
import { formatNumber } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";

/** Under the API's own names, but for the days, which the API takes as moments. */
export const FILTERS = [
  "resource_type",
  "event_type",
  "resource_id",
  "container_id",
  "since",
  "until",
] as const;
export type Filters = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

interface EventFiltersProps {
  readonly filters: Filters;
  readonly onChange: (changed: Filters) => void;
}

/** Only what has happened can be chosen, with how often it has. */
export function EventFilters({ filters, onChange }: EventFiltersProps) {
  const { data } = useQuery({
    queryKey: ["events", "stats"],
    queryFn: () => dataOf(api.GET("/api/v1/events/stats")),
  });
  const { resource_type = "", event_type = "", since = "", until = "" } = filters;
  const ofResource = ([type]: [string, number]) =>
    resource_type === "" || type.startsWith(`${resource_type}.`);
  const isNarrowed = Object.keys(filters).length > 0;
  return (
    <search className="filters" aria-label="Events">
      <ChoiceField
        label="About"
        value={resource_type}
        onChange={(resource_type) => onChange({ resource_type, event_type: "" })}
        choices={choicesOf(data?.by_resource_type, "everything", resource_type)}
      />
      <ChoiceField
        label="What happened"
        value={event_type}
        onChange={(event_type) => onChange({ event_type })}
        choices={choicesOf(
          data && Object.fromEntries(Object.entries(data.by_event_type).filter(ofResource)),
          "anything",
          event_type,
        )}
      />
      <Field label="From" type="date" value={since} onChange={(since) => onChange({ since })} />
      <Field label="To" type="date" value={until} onChange={(until) => onChange({ until })} />
      {isNarrowed && (
        <Button look="quiet" onPress={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, ""])))}>
          Show everything
        </Button>
      )}
    </search>
  );
}

function choicesOf(counts: Readonly<Record<string, number>> = {}, all: string, chosen: string) {
  const names = [...new Set([...Object.keys(counts), ...(chosen === "" ? [] : [chosen])])];
  const choices = names.map((value) => ({
    value,
    label: `${typeWords(value)} (${formatNumber(counts[value] ?? 0)})`,
  }));
  return [{ value: "", label: all }, ...choices.sort((a, b) => a.label.localeCompare(b.label))];
}
