import { expect, test } from "bun:test";
import { metricsRange } from "../../../gateway/http/metrics-range.ts";
import { ValidationError } from "../../../schemas/errors.ts";

const NOW = Date.parse("2026-01-31T12:00:07.500Z");
const at = (text: string) => Date.parse(text) / 1_000;

test("the ends of a range are whole steps that hold all of it", () => {
  const range = metricsRange({ from: "2026-01-31T11:30:05Z", to: "2026-01-31T11:40:01Z", step: "60" }, NOW);
  expect(range).toEqual({ from: at("2026-01-31T11:30:00Z"), to: at("2026-01-31T11:41:00Z"), step: 60 });
});

test("without a query it is the last hour, in steps of ten seconds", () => {
  expect(metricsRange({}, NOW)).toEqual({
    from: at("2026-01-31T11:00:00Z"),
    to: at("2026-01-31T12:00:10Z"),
    step: 10,
  });
});

test.each([
  ["2026-01-31T00:00:00Z", 300],
  ["2026-01-30T00:00:00Z", 900],
  ["2026-01-01T00:00:00Z", 21_600],
])("from %s on a step is %i seconds", (from, step) => {
  expect(metricsRange({ from }, NOW).step).toBe(step);
});

test.each([
  [{ from: "2026-01-31T13:00:00Z" }, "query.from"],
  [{ from: "1969-01-01T00:00:00Z" }, "query.from"],
  [{ from: "yesterday" }, "query.from"],
  [{ to: "soon" }, "query.to"],
  [{ from: "9999-12-30T00:00:00Z", to: "9999-12-31T23:59:59Z" }, "query.to"],
  [{ step: "999999999999" }, "query.step"],
  [{ step: "15" }, "query.step"],
  [{ step: "0" }, "query.step"],
  [{ from: "2026-01-29T00:00:00Z", step: "10" }, "query.step"],
  [{ from: "2026-01-31T01:00:00Z", step: "10" }, "query.step"],
])("%j is refused, and the field is named", (query, field) => {
  try {
    metricsRange(query, NOW);
    throw new Error("it was not refused");
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).data?.field).toBe(field);
  }
});
