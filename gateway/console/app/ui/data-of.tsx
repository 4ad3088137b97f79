import { formatCents, formatDateTime, formatDays, formatMoney } from "../lib/format.ts";

/** More makes a row taller than what it says first is worth. */
const SHOWN_MAX = 3;

/** What a record of a log says, each value with its name; what is long is behind a button. */
export function DataOf({ data }: { data: Readonly<Record<string, unknown>> }) {
  const said = Object.entries(data).filter(([, value]) => value !== null && value !== "");
  const isShort = ([, value]: [string, unknown]) => typeof value !== "object";
  const isId = ([name]: [string, unknown]) => name === "id" || name.endsWith("_id");
  const short = said.filter(isShort);
  // A person knows nothing by its id: it is there for whoever looks for it.
  const first = [...short.filter((entry) => !isId(entry)), ...short.filter(isId)].slice(0, SHOWN_MAX);
  const rest = said.filter((entry) => !first.includes(entry));
  return (
    <div className="data-of">
      <Entries entries={first} />
      {rest.length > 0 && (
        <details>
          <summary>More</summary>
          <Entries entries={rest} />
        </details>
      )}
    </div>
  );
}

const Entries = ({ entries }: { entries: readonly [string, unknown][] }) => (
  <ul>
    {entries.map(([name, value]) => (
      <li key={name}>
        <span>{nameWords(name)}</span> <bdi>{valueWords(name, value)}</bdi>
      </li>
    ))}
  </ul>
);

/** The unit stands with the figure. */
export const nameWords = (name: string): string => name.replace(/_cents$/, "").replaceAll("_", " ");

/** Amounts of money that are text, in dollars. */
const AMOUNTS = new Set(["amount", "refunded"]);
/** Prices in cents, by days. */
const PRICES = new Set(["prices", "pricing_rules", "setup_fee_rules"]);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of a record as a person reads it: money, days and times in the reader's own format. */
export function valueWords(name: string, value: unknown): string {
  if (typeof value === "number" && name.endsWith("_cents")) return formatCents(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (AMOUNTS.has(name)) return formatMoney(value);
    return TIME.test(value) ? formatDateTime(value) : value;
  }
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value);
  if (PRICES.has(name))
    return entries.map(([days, cents]) => `${formatDays(Number(days))} ${formatCents(cents)}`).join(", ");
  if (Array.isArray(value)) return value.map((one) => valueWords("", one)).join("; ");
  return entries.map(([inner, one]) => `${nameWords(inner)} ${valueWords(inner, one)}`).join(", ");
}
