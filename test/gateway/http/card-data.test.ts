import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { refuseCardData } from "../../../gateway/http/card-data.ts";
import { ValidationError } from "../../../schemas/errors.ts";

/** The field that a body is refused for; undefined when it is not. */
function refused(body: unknown): string | undefined {
  try {
    refuseCardData(body);
    return undefined;
  } catch (error) {
    if (error instanceof ValidationError) return error.field;
    throw error;
  }
}

/** Numbers of test cards, as processors publish them. */
const CARDS = [
  "4242424242424242",
  "4000056655665556",
  "5555555555554444",
  "2223003122003222",
  "378282246310005",
  "6011111111111117",
  "30569309025904",
  "3566002020360505",
  "6200000000000005",
  "4222222222222",
  "6304000000000000000",
];

describe("a card number", () => {
  test.each(CARDS)("%s is found plain, in groups, and as a number", (card) => {
    const groups = card.match(/.{1,4}/g) ?? [];
    for (const text of [card, groups.join(" "), groups.join("-"), groups.join(" - "), groups.join(".")]) {
      expect(refused({ details: { number: text } })).toBe("body.details.number");
      expect(refused({ name: `my card ${text}, the blue one` })).toBe("body.name");
    }
    if (Number(card) <= Number.MAX_SAFE_INTEGER) expect(refused({ n: Number(card) })).toBe("body.n");
  });

  test("is found wherever it is, however deep", () => {
    expect(refused({ details: { a: [{ b: ["x", "4242 4242 4242 4242"] }] } })).toBe("body.details.a.0.b");
    expect(refused({ details: { list: ["4242", "4242", "4242", "4242"] } })).toBe("body.details.list");
    expect(refused({ type: "4242424242424242" })).toBe("body.type");
  });

  test("is found beside other digits: an expiry, a security code", () => {
    expect(refused({ name: "4242 4242 4242 4242 12/31" })).toBe("body.name");
    expect(refused({ name: "12 31 4242-4242-4242-4242 123" })).toBe("body.name");
  });

  test.each([
    "4111/1111/1111/1111",
    "4111|1111|1111|1111",
    "4111,1111,1111,1111",
    "4111 : 1111 : 1111 : 1111",
    "3782/822463/10005",
    "\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661",
    "4\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e3 1111 1111 1111",
  ])("is found as %s", (text) => {
    expect(refused({ name: text })).toBe("body.name");
    expect(refused({ details: { note: `it is ${text}` } })).toBe("body.details.note");
  });

  test.each([
    "2026-11-21 10:30:00",
    "2026-11-21T10:30:00.000Z",
    "2026/11/21, 10:30, 21/11/2026",
    "+49 170 1234567",
    "10.0.0.1:8080, 10.0.0.2:8081",
    "0123456789abcdef01234567",
  ])("is not what %s is", (text) => {
    expect(refused({ name: text, details: { note: text } })).toBeUndefined();
  });

  test("is found in disguise: full-width digits, no-break spaces, invisible characters, other dashes", () => {
    for (const text of [
      "4242424242424242".replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      "4242\u00a04242\u00a04242\u00a04242",
      "4242\u200b4242\u200b4242\u200b4242",
      "4242\u20134242\u20144242\u20114242",
    ]) {
      expect(refused({ name: text })).toBe("body.name");
    }
  });

  test("as a key is refused by the name of what holds it", () => {
    expect(refused({ details: { "4242 4242 4242 4242": 1 } })).toBe("body.details");
    expect(refused({ "4242424242424242": 1 })).toBe("body");
  });

  test("of any 13 to 19 digits with a right check digit is refused, and its digits are in no error", () => {
    const anyCard = fc
      .array(fc.nat(9), { minLength: 12, maxLength: 18 })
      .map((digits) => `${digits.join("")}${checkDigit(digits)}`);
    fc.assert(
      fc.property(anyCard, fc.constantFrom("", " ", "-"), (card, separator) => {
        const text = (card.match(/.{1,4}/g) ?? []).join(separator);
        let message = "";
        try {
          refuseCardData({ details: { note: text } });
        } catch (error) {
          message = (error as Error).message;
        }
        expect(message).toContain("body.details.note");
        expect(message).not.toMatch(/\d/);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a security code", () => {
  test.each([
    "cvc",
    "CVV",
    "cvv2",
    "CVC2",
    "card_cvc",
    "cardCvv",
    "csc",
    "cvv_code",
    "security_code",
    "securityCode",
    "card-security-code",
    "Security Code",
    "card_verification_value",
  ])("under the key %s is refused by that name", (key) => {
    expect(refused({ details: { [key]: "123" } })).toBe(`body.details.${key}`);
    expect(refused({ [key]: 123 })).toBe(`body.${key}`);
  });
});

test.each([
  ["a card as it is kept", { last4: "4242", brand: "visa", exp_month: 12, exp_year: 2031 }],
  ["a number with a wrong check digit", { number: "4242424242424241" }],
  ["digits that are too few or too many", { few: "424242424242", many: "42424242424242424242" }],
  ["account numbers", { a: "DE89 3704 0044 0532 0130 00", b: "BE68539007547034", c: "NO9386011117947" }],
  ["addresses", { ip: "192.168.100.200", mac: "00:1a:2b:3c:4d:5e", street: "Hafenstraße 12, 20457 Hamburg" }],
  ["a phone and a date", { phone: "+49 40 123456-78", at: "2026-01-31T09:30:00.000Z" }],
  ["words that only look like security codes", { scv: 1, cvcs_are_not_kept: true, security: "x" }],
  ["no body", null],
])("%s passes", (_what, details) => {
  expect(refused({ details })).toBeUndefined();
});

test("a body that is too long to be looked through is refused", () => {
  expect(refused({ details: { a: "x ".repeat(10_000) } })).toBe("body");
});

/** The digit that makes the sum of Luhn a multiple of ten. */
function checkDigit(digits: readonly number[]): number {
  const sum = [...digits].reverse().reduce((all, digit, place) => {
    const value = place % 2 === 0 ? digit * 2 : digit;
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

describe("a security code", () => {
  test.each(["Visa CVV 123", "cvc: 123", 'j {"cvv":"123"}', "my card, cid=1234", "security code 123"])(
    "is found as %s",
    (text) => {
      expect(refused({ name: text })).toBe("body.name");
    },
  );

  test.each([
    { cid: "123" },
    { card_code: "123" },
    { "\uff43\uff56\uff43": "123" },
    { fields: [{ name: "cvc", value: "123" }] },
  ])("is found in %j", (details) => {
    expect(refused({ details })).toStartWith("body.details.");
  });

  test.each(["cv 2024", "civic 123", "code 4711", "CVS pharmacy 123"])("is not what %s is", (text) => {
    expect(refused({ name: text })).toBeUndefined();
  });
});
