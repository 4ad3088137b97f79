import { formatCents, formatDays } from "../lib/format.ts";
import { ChoiceField } from "./field.tsx";

interface DurationFieldProps {
  readonly days: number;
  readonly onChange: (days: number) => void;
  /** What each length costs. */
  readonly prices: readonly { readonly days: number; readonly cents: number }[];
}

/** For how long a server is paid. */
export const DurationField = ({ days, onChange, prices }: DurationFieldProps) => (
  <ChoiceField
    label="For how long"
    autoFocus
    value={String(days)}
    onChange={(value) => onChange(Number(value))}
    choices={prices.map((one) => ({
      value: String(one.days),
      label: `${formatDays(one.days)}: ${formatCents(one.cents)}`,
    }))}
  />
);
