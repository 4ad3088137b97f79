import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  add,
  change,
  keptDetails,
  type Method,
  type Methods,
  NO_METHODS,
  remove,
} from "../../../../actors/billing/payment-method/rules.ts";
import {
  DETAILS_BYTES_MAX,
  DETAILS_DEPTH_MAX,
  type Details,
} from "../../../../schemas/billing/payment-method.ts";
import { type DomainError, ValidationError } from "../../../../schemas/errors.ts";

const AT = new Date("2026-01-31T09:30:00.000Z");
const LATER = new Date("2026-02-01T00:00:00.000Z");

const method = (id: string): Method => ({
  id,
  type: "sepa",
  name: id,
  status: "active",
  details: {},
  createdAt: AT,
  updatedAt: AT,
});
const having = (...ids: string[]): Methods =>
  ids.reduce((list, id) => add(list, method(id), false), NO_METHODS);
const inactive = (list: Methods, ...ids: string[]) =>
  ids.reduce((before, id) => change(before, id, { status: "inactive" }, LATER), list);

function refusal(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    return error as DomainError;
  }
  throw new Error("it was not refused");
}

describe("the default", () => {
  test("is the first method, whatever was asked", () => {
    expect(add(NO_METHODS, method("a"), false).defaultId).toBe("a");
  });

  test("goes to a new method only when it is asked to", () => {
    expect(add(having("a"), method("b"), false).defaultId).toBe("a");
    expect(add(having("a"), method("b"), true).defaultId).toBe("b");
  });

  test("passes to the active method that was added last, when it is deleted or made inactive", () => {
    const list = inactive(having("a", "b", "c", "d"), "d");
    expect(remove(list, "a").defaultId).toBe("c");
    expect(inactive(list, "a").defaultId).toBe("c");
  });

  test("passes on when it is given up, and stays where no other is active", () => {
    expect(change(having("a", "b"), "a", { is_default: false }, LATER).defaultId).toBe("b");
    expect(change(inactive(having("a", "b"), "b"), "a", { is_default: false }, LATER).defaultId).toBe("a");
  });

  test("is an inactive method only while none is active", () => {
    const none = inactive(having("a", "b"), "a", "b");
    expect(none.methods.some(({ id }) => id === none.defaultId)).toBe(true);
    expect(add(none, method("c"), false).defaultId).toBe("c");
    expect(change(none, "a", { status: "active" }, LATER).defaultId).toBe("a");
  });

  test("is made active by being chosen", () => {
    const chosen = change(inactive(having("a", "b"), "b"), "b", { is_default: true }, LATER);
    expect(chosen.defaultId).toBe("b");
    expect(chosen.methods.find(({ id }) => id === "b")?.status).toBe("active");
  });

  test("cannot be chosen and made inactive in one", () => {
    const asked = { is_default: true, status: "inactive" } as const;
    expect(refusal(() => change(having("a", "b"), "b", asked, LATER)).data).toEqual({
      field: "body.is_default",
    });
  });

  test("is exactly one whenever there is any method, and active whenever any is, whatever was done", () => {
    const anyStep = fc.oneof(
      fc.record({ act: fc.constant("add" as const), asDefault: fc.boolean() }),
      fc.record({ act: fc.constant("remove" as const), which: fc.nat(20) }),
      fc.record({
        act: fc.constant("change" as const),
        which: fc.nat(20),
        asked: fc.record(
          { status: fc.constantFrom("active" as const, "inactive" as const), is_default: fc.boolean() },
          { requiredKeys: [] },
        ),
      }),
    );
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        let list = NO_METHODS;
        for (const [index, step] of steps.entries()) {
          const id = "which" in step ? list.methods[step.which % (list.methods.length || 1)]?.id : undefined;
          try {
            if (step.act === "add") list = add(list, method(`m${index}`), step.asDefault);
            else if (id === undefined) continue;
            else if (step.act === "remove") list = remove(list, id);
            else list = change(list, id, step.asked, LATER);
          } catch (error) {
            expect(error).toBeInstanceOf(ValidationError);
          }
          const chosen = list.methods.filter((one) => one.id === list.defaultId);
          expect(chosen).toHaveLength(Math.min(1, list.methods.length));
          const anyActive = list.methods.some(({ status }) => status === "active");
          if (anyActive) expect(chosen[0]?.status).toBe("active");
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("a method that is not there is not found", () => {
  for (const run of [() => remove(having("a"), "b"), () => change(having("a"), "b", {}, LATER)]) {
    expect(refusal(run).code).toBe("PAYMENT_METHOD_NOT_FOUND");
  }
});

describe("details", () => {
  const card = { last4: "4242", brand: "visa", exp_month: 12, exp_year: 2031 };

  test.each(["credit_card", "card", "Debit Card", "prepaid-card"])(
    "of a %s are what it is known by",
    (type) => {
      expect(keptDetails(type, card)).toEqual(card);
      expect(keptDetails(type, {})).toEqual({});
      const asText = { ...card, exp_month: "03", exp_year: "2031" };
      expect(keptDetails(type, asText)).toEqual(asText);
    },
  );

  test.each([
    ["last4", 4242],
    ["last4", "42424"],
    ["last4", "424 "],
    ["brand", ""],
    ["brand", "x".repeat(33)],
    ["brand", { name: "visa" }],
    ["exp_month", 0],
    ["exp_month", 13],
    ["exp_month", "13"],
    ["exp_month", "1.5"],
    ["exp_month", ""],
    ["holder", "Ada"],
    ["track", { data: 1 }],
    ["toString", "x"],
    ["exp_month", 1.5],
    ["exp_year", 31],
    ["exp_year", 2101],
    ["exp_year", null],
  ])("of a card with %s %p are refused, and the field is named", (name, value) => {
    const error = refusal(() => keptDetails("card", { ...card, [name]: value }));
    expect(error.data).toEqual({ field: `body.details.${name}` });
  });

  test("of anything else are kept as they are", () => {
    const details = { iban: "DE89 3704 0044 0532 0130 00", address: { lines: ["a", "b"] }, last4: 1 };
    expect(keptDetails("sepa", details)).toEqual(details);
  });

  test("have a size and a depth that they do not pass", () => {
    const padding = DETAILS_BYTES_MAX - JSON.stringify({ a: "" }).length;
    expect(keptDetails("sepa", { a: "x".repeat(padding) })).toHaveProperty("a");
    for (const type of ["sepa", "card"]) {
      const error = refusal(() => keptDetails(type, { a: "x".repeat(padding + 1) }));
      expect(error.data).toEqual({ field: "body.details" });
    }
    const nested = (levels: number): Details => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) });
    expect(keptDetails("sepa", nested(DETAILS_DEPTH_MAX))).toEqual(nested(DETAILS_DEPTH_MAX));
    const error = refusal(() => keptDetails("sepa", nested(DETAILS_DEPTH_MAX + 1)));
    expect(error.data).toEqual({ field: "body.details" });
  });
});
