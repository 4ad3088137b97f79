import {
  FILTER_OPERATORS,
  FILTER_VALUES_MAX,
  type FilterOperator,
  INVOICE_FIELDS,
  type InvoiceCondition,
  type InvoiceField,
} from "../../schemas/billing/invoice.ts";
import { ValidationError } from "../../schemas/errors.ts";
import { isStorableText } from "../http/storable-values.ts";
import { timeIn } from "../http/time.ts";

const FILTER = "query.filter";

/**
 * Reads the `filter` of a list of invoices (spec, control plane §4.8): a JSON object over the fields, each value a literal or an
 * object of operators.
 * @throws ValidationError naming `query.filter` for anything that it does not know or that is of another type
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

/** The field that a list is sorted by; what is none of them stands for `created_at`. */
export const invoiceSort = (name: string | undefined): InvoiceField =>
  name !== undefined && isField(name) ? name : "created_at";

function conditionOf(field: InvoiceField, operator: FilterOperator, value: unknown): InvoiceCondition {
  if (operator === "in") {
    if (!Array.isArray(value) || value.length === 0 || value.length > FILTER_VALUES_MAX) {
      throw refused(`in takes a list of 1 to ${FILTER_VALUES_MAX} values`);
    }
    return { field, operator, values: value.map((one) => literalOf(field, one)) };
  }
  if (operator === "like") return { field, operator, value: patternOf(value) };
  return { field, operator, value: literalOf(field, value) };
}

/** Amounts and dates are matched as they are written: a number is a pattern too. */
function patternOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && isStorableText(value)) return value;
  throw refused("like takes text");
}

function literalOf(field: InvoiceField, value: unknown): string | number | Date {
  switch (INVOICE_FIELDS[field]) {
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value))
        throw refused(`${field} is compared with numbers`);
      return value;
    case "text":
      if (typeof value !== "string" || !isStorableText(value))
        throw refused(`${field} is compared with text`);
      return value;
    case "time":
      if (typeof value !== "string") throw refused(`${field} is compared with times`);
      return timeIn(FILTER, value);
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
