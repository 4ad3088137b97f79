import { expect, test } from "bun:test";
import fc from "fast-check";
import { invoiceConditions, invoiceSort } from "../../../gateway/invoices/filter.ts";
import { FILTER_VALUES_MAX } from "../../../schemas/billing/invoice.ts";
import { ValidationError } from "../../../schemas/errors.ts";

const conditions = (filter: unknown) => invoiceConditions(JSON.stringify(filter));

test("a literal is what the field equals; an object has its operators", () => {
  expect(conditions({ status: "paid", amount: { gte: 10, lt: 50.5 } })).toEqual([
    { field: "status", operator: "eq", value: "paid" },
    { field: "amount", operator: "gte", value: 10 },
    { field: "amount", operator: "lt", value: 50.5 },
  ]);
  expect(conditions({ invoice_number: { like: "100%_" }, currency: { in: ["USD", "EUR"] } })).toEqual([
    { field: "invoice_number", operator: "like", value: "100%_" },
    { field: "currency", operator: "in", values: ["USD", "EUR"] },
  ]);
  expect(conditions({ issue_date: { gt: "2026-01-01T00:00:00+01:00" } })).toEqual([
    { field: "issue_date", operator: "gt", value: new Date("2025-12-31T23:00:00Z") },
  ]);
  expect(conditions({ amount: { like: 25 }, issue_date: { like: "2026-%" } })).toEqual([
    { field: "amount", operator: "like", value: "25" },
    { field: "issue_date", operator: "like", value: "2026-%" },
  ]);
  expect(conditions({ amount: "25.50", issue_date: "2026-11-22T00:00:00Z" })).toEqual([
    { field: "amount", operator: "eq", value: 25.5 },
    { field: "issue_date", operator: "eq", value: new Date("2026-11-22T00:00:00Z") },
  ]);
  expect(invoiceConditions(undefined)).toEqual([]);
  expect(conditions({})).toEqual([]);
});

test("a day is all of that day in UTC", () => {
  const [from, until] = [new Date("2026-11-22T00:00:00Z"), new Date("2026-11-23T00:00:00Z")];
  const asked = (value: unknown) => conditions({ issue_date: value })[0] as unknown;
  const field = "issue_date";
  expect(asked("2026-11-22")).toEqual({ field, operator: "eq", value: { from, until } });
  expect(asked({ ne: "2026-11-22" })).toEqual({ field, operator: "ne", value: { from, until } });
  expect(asked({ in: ["2026-11-22"] })).toEqual({ field, operator: "in", values: [{ from, until }] });
  expect(asked({ gte: "2026-11-22" })).toEqual({ field, operator: "gte", value: from });
  expect(asked({ lt: "2026-11-22" })).toEqual({ field, operator: "lt", value: from });
  expect(asked({ gt: "2026-11-22" })).toEqual({ field, operator: "gte", value: until });
  expect(asked({ lte: "2026-11-22" })).toEqual({ field, operator: "lt", value: until });
});

test.each([
  ["", "nothing"],
  ["{", "half an object"],
  ["[]", "a list"],
  ["5", "a number"],
  ["null", "null"],
  ['{"zzz":1}', "an unknown field"],
  ['{"items":"x"}', "a field of the record that is none of the list"],
  ['{"__proto__":1}', "a name that objects have"],
  ['{"constructor":{"eq":1}}', "a name that objects inherit"],
  ['{"status":{"zzz":1}}', "an unknown operator"],
  ['{"status":{"__proto__":1}}', "an operator that objects have"],
  ['{"status":{"$ne":1}}', "an operator of another language"],
  ['{"status":{}}', "no operator"],
  ['{"status":1}', "a number where text is due"],
  ['{"status":null}', "null where text is due"],
  ['{"status":true}', "a boolean"],
  ['{"status":["paid"]}', "a list that is no in"],
  ['{"status":{"eq":{"eq":"paid"}}}', "an operator in an operator"],
  ['{"status":"a\\u0000"}', "text with NUL"],
  ['{"status":"\\ud800"}', "half a surrogate pair"],
  ['{"amount":"many"}', "text that is no number"],
  ['{"amount":"1e3"}', "a number with an exponent in text"],
  ['{"amount":""}', "no number"],
  ['{"amount":{"in":["1","x"]}}', "text that is no number among numbers"],
  ['{"amount":1e999}', "a number without an end"],
  ['{"amount":{"like":true}}', "like with no text"],
  ['{"issue_date":"yesterday"}', "no time"],
  ['{"issue_date":"2026-02-30T00:00:00Z"}', "a time of a day that is not in the calendar"],
  ['{"issue_date":"2026-02-30"}', "a day that is not in the calendar"],
  ['{"issue_date":1767225600}', "a number where a time is due"],
  ['{"status":{"in":[]}}', "in without a value"],
  ['{"status":{"in":"paid"}}', "in with no list"],
  ['{"status":{"in":["paid",1]}}', "in with another type among its values"],
  [JSON.stringify({ status: { in: Array(FILTER_VALUES_MAX + 1).fill("x") } }), "in with too many values"],
])("%s (%s) is refused, and the filter is named", (filter) => {
  let error: unknown;
  try {
    invoiceConditions(filter);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ValidationError);
  expect((error as ValidationError).field).toBe("query.filter");
});

test("nothing but a condition or a refusal comes of any JSON", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      try {
        invoiceConditions(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
      }
    }),
  );
});

test("a list is sorted by a field of it, by created_at for anything else, and in its standard order for nothing", () => {
  expect(invoiceSort("amount")).toBe("amount");
  expect(invoiceSort(undefined)).toBeUndefined();
  for (const other of ["", "zzz", "AMOUNT", "__proto__", "toString", "id; DROP TABLE invoices"]) {
    expect(invoiceSort(other)).toBe("created_at");
  }
});
