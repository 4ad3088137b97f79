import { expect, test } from "bun:test";
import { normalizeVatId, vatIdProblem } from "../../../schemas/billing/vat-id.ts";

test("numbers of the European Union and its neighbours are taken as their countries write them", () => {
  for (const [country, text] of [
    ["AT", "ATU12345678"],
    ["BE", "BE 0123.456.789"],
    ["CH", "CHE-123.456.789 MWST"],
    ["DE", "DE 123 456 789"],
    ["ES", "ESX1234567X"],
    ["FR", "FRXX123456789"],
    ["GB", "XI123456789"],
    ["GR", "EL123456789"],
    ["IE", "ie1234567wa"],
    ["NL", "NL123456789B01"],
    ["NO", "NO123456789MVA"],
    ["SE", "SE123456789001"],
  ] as const)
    expect([text, vatIdProblem(country, normalizeVatId(text))]).toEqual([text, undefined]);
});

test("a number of another shape or another country is refused with the shape that it should have", () => {
  expect(vatIdProblem("DE", "DE12345678")).toBe("must be DE and then 9 digits");
  expect(vatIdProblem("DE", "ATU12345678")).toBe("must be DE and then 9 digits");
  expect(vatIdProblem("GR", "GR123456789")).toBe("must be EL and then 9 digits");
  expect(vatIdProblem("CZ", "CZ1234567")).toBe("must be CZ and then 8 or 9 or 10 digits");
  expect(vatIdProblem("DE", "DE1234567890")).toBeDefined();
});

test("elsewhere a number is letters and digits", () => {
  expect(vatIdProblem("US", "123456789")).toBeUndefined();
  expect(vatIdProblem("US", "12<script>")).toBeDefined();
});
