import {
  type Day,
  FILTER_OPERATORS,
  FILTER_VALUES_MAX,
  type FilterOperator,
  INVOICE_FIELDS,
  type InvoiceCondition,
  type InvoiceField,
  type InvoiceValue,
} from "../../schemas/billing/invoice.ts";
import { ValidationError } from "../../schemas/errors.ts";
import { isStorableText } from "../http/storable-values.ts";
import { LAST_TIME, timeIn } from "../http/time.ts";

const FILTER = "query.filter";

/**
 * Reads the `filter` of a list of invoices (spec, control plane §4.8): a JSON object over the fields, each value a
 * literal or an object of operators.
 * @throws ValidationError naming `query.filter` for an unknown field or operator, or a value of another type
 */
export function invoiceConditions(text: string | undefined): InvoiceCondition[] {
  if (text === undefined) return [];
  const filter = parsed(text);
  if (!isObject(filter)) throw refused("must be a JSON object");
  return Object.entries(filter).flatMap(([name, asked]) => {
    const field = fieldOf(name);
    if (!isObject(asked)) return [conditionOf(field, "eq", asked)];
    const operators = Object.entries(asked);
    if (operators.length === 0) throw refused(`${field} has no operator`);
    return operators.map(([operator, value]) => conditionOf(field, operatorOf(operator), value));
  });
}

/** The field that a list is sorted by; an unknown name means `created_at`. Undefined: the request names none. */
export const invoiceSort = (name: string | undefined): InvoiceField | undefined =>
  name === undefined || isField(name) ? name : "created_at";

function conditionOf(field: InvoiceField, operator: FilterOperator, value: unknown): InvoiceCondition {
  if (operator === "in") {
    if (!Array.isArray(value) || value.length === 0 || value.length > FILTER_VALUES_MAX) {
      throw refused(`in takes a list of 1 to ${FILTER_VALUES_MAX} values`);
    }
    return { field, operator, values: value.map((one) => literalOf(field, one)) };
  }
  if (operator === "like") return { field, operator, value: patternOf(value) };
  const literal = literalOf(field, value);
  if (operator === "eq" || operator === "ne") return { field, operator, value: literal };
  return { field, ...(isDay(literal) ? atEndOf(literal, operator) : { operator, value: literal }) };
}

/** The pattern of `like`. Amounts and dates are matched by their text, so a number is a pattern too. */
function patternOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && isStorableText(value)) return value;
  throw refused("like takes text");
}

function literalOf(field: InvoiceField, value: unknown): InvoiceValue {
  switch (INVOICE_FIELDS[field]) {
    case "number":
      return amountOf(field, value);
    case "text":
      if (typeof value !== "string" || !isStorableText(value))
        throw refused(`${field} is compared with text`);
      return value;
    case "time":
      if (typeof value !== "string") throw refused(`${field} is compared with times`);
      return DAY.test(value) ? dayOf(value) : timeIn(FILTER, value);
  }
}

/** Forms and command lines write a number as text. */
function amountOf(field: InvoiceField, value: unknown): number {
  const amount = typeof value === "string" && AMOUNT.test(value) ? Number(value) : value;
  if (typeof amount !== "number" || !Number.isFinite(amount))
    throw refused(`${field} is compared with numbers, such as 10 or "10.00"`);
  return amount;
}

const AMOUNT = /^-?\d{1,30}(\.\d{1,30})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 60 * 60 * 1000;

function dayOf(date: string): Day {
  const from = timeIn(FILTER, `${date}T00:00:00Z`);
  return { from, until: new Date(Math.min(from.getTime() + DAY_MS, LAST_TIME)) };
}

const isDay = (value: InvoiceValue): value is Day => typeof value === "object" && "until" in value;

/** What comes up to a day, or after it, comes before the next one, or not. */
function atEndOf({ from, until }: Day, operator: "gt" | "gte" | "lt" | "lte") {
  switch (operator) {
    case "gt":
      return { operator: "gte", value: until } as const;
    case "lte":
      return { operator: "lt", value: until } as const;
    default:
      return { operator, value: from } as const;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused("must be a JSON object");
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isField = (name: string): name is InvoiceField => Object.hasOwn(INVOICE_FIELDS, name);

function fieldOf(name: string): InvoiceField {
  if (isField(name)) return name;
  throw refused(`there is no such field; there are ${Object.keys(INVOICE_FIELDS).join(", ")}`);
}

function operatorOf(name: string): FilterOperator {
  const operator = FILTER_OPERATORS.find((one) => one === name);
  if (operator === undefined) {
    throw refused(`there is no such operator; there are ${FILTER_OPERATORS.join(", ")}`);
  }
  return operator;
}

const refused = (rule: string) => new ValidationError(FILTER, rule);
