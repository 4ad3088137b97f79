import { ValidationError } from "../../schemas/errors.ts";

/**
 * Refuses card numbers and security codes: whoever stores or logs them must comply with PCI DSS, and Berth needs
 * neither. It checks a body before validation, whose errors could repeat a part of the body.
 */

const DIGITS_MIN = 13;
const DIGITS_MAX = 19;

/** Characters that people write between the groups of a number. */
const SEPARATORS = /[\s\p{Pd}._\u00b7]+/u;
/** Digits with separators between them, and up to two letters before them, as account numbers have. */
const NUMBERS = /[A-Za-z]{0,2}\d[\d\s\p{Pd}._\u00b7]*/gu;
/** Groups of digits as on cards, with anything between them. Shorter groups occur in dates and times. */
const GROUPED = /\d{3,6}(?:[^\p{L}\p{N}]{1,3}\d{3,6}){2,4}/gu;
/** Invisible characters and marks, such as a keycap's, would hide a number from this check and not from a reader. */
const INVISIBLE = /[\p{Cf}\p{M}]/gu;

const SECURITY_CODE =
  /^(card)?(cvc|cvv|cvn|csc|cav|cid)\d?(code|number|value)?$|^cardcode$|securitycode|cardverification(code|number|value)?$/;
/** A security code in a sentence, or in a text that is JSON itself. */
const WRITTEN_CODE = /\b(cvc|cvv|cvn|csc|cid|security code)\d?["'\s:=#.-]{0,5}\d{3,4}\b/i;

/** The longest body that is checked. No payment method that a person describes is longer. */
const BODY_LENGTH_MAX = 16_384;

/** Checks a whole body. @throws ValidationError that names the field and never its value */
export function refuseCardData(body: unknown): void {
  if ((JSON.stringify(body) ?? "").length > BODY_LENGTH_MAX) {
    throw new ValidationError("body", `must be at most ${BODY_LENGTH_MAX} characters of JSON`);
  }
  refuseIn(body, "body");
}

function refuseIn(value: unknown, field: string): void {
  if (typeof value === "string" || typeof value === "number") {
    refuseCardText(String(value), field);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  // A card number may be split over the items of a list.
  if (Array.isArray(value) && holdsCardNumber(value.filter(isPlain).join(" "))) {
    throw new ValidationError(field, "must not hold a card number");
  }
  for (const [key, inner] of Object.entries(value)) {
    if (holdsCardNumber(key)) throw new ValidationError(field, "must not have a card number as a key");
    if (isSecurityCode(key)) {
      throw new ValidationError(`${field}.${key}`, "a card's security code must not be sent");
    }
    refuseIn(inner, `${field}.${key}`);
  }
}

/** Checks one text. @throws ValidationError that names the field and never its value */
export function refuseCardText(text: string, field: string): void {
  if (holdsCardNumber(text)) throw new ValidationError(field, "must not hold a card number");
  if (isSecurityCode(text) || WRITTEN_CODE.test(plainOf(text)))
    throw new ValidationError(field, "a card's security code must not be sent");
}

const isSecurityCode = (text: string): boolean =>
  SECURITY_CODE.test(
    plainOf(text)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ""),
  );

/** The text with digits of any script and letters of any width in their ASCII forms. */
const plainOf = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[^\P{Nd}0-9]/gu, decimalOf);

/** In Unicode the ten digits of every script follow each other, from zero on. */
function decimalOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before);
}

const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";

function holdsCardNumber(text: string): boolean {
  const plain = plainOf(text);
  for (const [found] of plain.matchAll(NUMBERS)) if (!isIban(found) && isCardNumber(found)) return true;
  for (const [found] of plain.matchAll(GROUPED)) {
    const digits = found.replace(/\D/g, "");
    if (/^[2-6]/.test(digits) && passesLuhn(digits)) return true;
  }
  return false;
}

function isCardNumber(text: string): boolean {
  const groups = text
    .replace(/^[A-Za-z]+/, "")
    .split(SEPARATORS)
    .filter(Boolean);
  if (passesLuhn(groups.join(""))) return true;
  // Other digits may stand beside the number, such as its expiry date. Card numbers begin with 2 to 6.
  for (let from = 0; from < groups.length; from++) {
    let digits = "";
    for (let to = from; to < groups.length && digits.length <= DIGITS_MAX; to++) {
      digits += groups[to];
      if (/^[2-6]/.test(digits) && passesLuhn(digits)) return true;
    }
  }
  return false;
}

/** The check digit of ISO/IEC 7812-1, after Luhn. */
function passesLuhn(digits: string): boolean {
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return false;
  let sum = 0;
  for (const [place, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** An account number (ISO 13616) with a valid checksum: every tenth of them would otherwise count as a card number. */
function isIban(text: string): boolean {
  const compact = text.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{13,32}$/.test(compact)) return false;
  const turned = compact.slice(4) + compact.slice(0, 4);
  const digits = [...turned].map((character) => Number.parseInt(character, 36)).join("");
  return BigInt(digits) % 97n === 1n;
}
