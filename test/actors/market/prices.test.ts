import { describe, expect, test } from "bun:test";
import {
  assertAgreed,
  assertDays,
  extensionPrice,
  priceFor,
  setupFeeFor,
} from "../../../actors/market/prices.ts";
import { DomainError } from "../../../schemas/errors.ts";

function refusal(run: () => unknown): { code: string; data: unknown } | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, data: error.data };
    throw error;
  }
  return undefined;
}

describe("the price of a rental", () => {
  test("is the one of its length, and of no other", () => {
    expect(priceFor({ "7": 700, "30": 2_500 }, 30, "body.rental_days")).toBe(2_500);
    expect(refusal(() => priceFor({ "7": 700 }, 30, "body.rental_days"))?.code).toBe("VALIDATION_ERROR");
    expect(refusal(() => priceFor({ "7": 700 }, 0, "body.rental_days"))?.code).toBe("VALIDATION_ERROR");
  });

  test("has a setup fee that an override replaces, also by 0", () => {
    expect(setupFeeFor({}, 1_500, 30)).toBe(1_500);
    expect(setupFeeFor({ "30": 0 }, 1_500, 30)).toBe(0);
    expect(setupFeeFor({ "30": 100 }, 1_500, 7)).toBe(1_500);
  });

  test("is for no length above 3650 days", () => {
    expect(refusal(() => assertDays({ "3650": 1 }, "body.prices"))).toBeUndefined();
    expect(refusal(() => assertDays({ "3651": 1 }, "body.prices"))?.code).toBe("VALIDATION_ERROR");
  });
});

describe("agreement to a first payment", () => {
  test.each([
    [0, 0, undefined, undefined],
    [0, 0, 0, undefined],
    [700, 0, 700, undefined],
    [700, 0, 701, undefined],
    [700, 0, undefined, "CHARGE_CONFIRMATION_REQUIRED"],
    [0, 100, undefined, "SETUP_FEE_CONFIRMATION_REQUIRED"],
    [700, 100, undefined, "SETUP_FEE_CONFIRMATION_REQUIRED"],
    [700, 100, 799, "CHARGE_EXCEEDS_MAX"],
    [700, 100, 800, undefined],
  ])("rent %s, fee %s, ceiling %s: %s", (rent, fee, max, code) => {
    const refused = refusal(() => assertAgreed(rent, fee, max));
    expect(refused?.code).toBe(code as string);
    if (code !== undefined) expect(refused?.data).toEqual({ total_cents: rent + fee });
  });
});

describe("the price of an extension", () => {
  test.each([
    ["the promise, when the price rose", { "7": 900 }, { "7": 700 }, undefined, 700],
    ["the price of now, when it fell", { "7": 500 }, { "7": 700 }, undefined, 500],
    ["the promise, when there is no price any more", {}, { "7": 700 }, undefined, 700],
    ["the price of now for what was not promised, once it is agreed to", { "7": 900 }, {}, 900, 900],
    ["the price of now, when nothing was promised", { "7": 900 }, null, 1_000, 900],
    ["nothing, where it is free", { "7": 0 }, null, undefined, 0],
  ] as const)("is %s", (_what, live, frozen, max, price) => {
    expect(extensionPrice(live, frozen, 7, max)).toBe(price);
  });

  test.each([
    ["nothing was promised or agreed to", { "7": 900 }, null, undefined, "CHARGE_CONFIRMATION_REQUIRED"],
    ["the length was not promised", { "7": 900 }, { "30": 1 }, undefined, "CHARGE_CONFIRMATION_REQUIRED"],
    ["it is above what was agreed to", { "7": 900 }, null, 899, "CHARGE_EXCEEDS_MAX"],
    ["the promise is above what was agreed to", { "7": 900 }, { "7": 700 }, 699, "CHARGE_EXCEEDS_MAX"],
    ["there is no such length", { "30": 1 }, null, 1, "VALIDATION_ERROR"],
  ] as const)("is refused where %s", (_what, live, frozen, max, code) => {
    expect(refusal(() => extensionPrice(live, frozen, 7, max))?.code).toBe(code);
  });
});
