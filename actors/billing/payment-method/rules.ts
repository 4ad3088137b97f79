import {
  CARD_TYPES,
  type ChangePaymentMethod,
  DETAILS_BYTES_MAX,
  DETAILS_DEPTH_MAX,
  type Details,
  type PaymentMethodStatus,
} from "../../../schemas/billing/payment-method.ts";
import { DomainError, ValidationError } from "../../../schemas/errors.ts";
import { sizeText } from "../../../system/size-text.ts";

/** A payment method, as its user's actor holds it. */
export interface Method {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly status: PaymentMethodStatus;
  readonly details: Details;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A user's methods, oldest first. `defaultId` names one of them as soon as there is any. */
export interface Methods {
  readonly defaultId: string | null;
  readonly methods: readonly Method[];
}

export const NO_METHODS: Methods = { defaultId: null, methods: [] };

/** Adds an active method. It becomes the default on request, or if there was no active default. */
export function add(before: Methods, method: Method, asDefault: boolean): Methods {
  return settled({
    methods: [...before.methods, method],
    defaultId: asDefault ? method.id : before.defaultId,
  });
}

/**
 * Changes a method. A method that becomes the default becomes active. If the default becomes inactive, the active
 * method that was added last becomes the default; without one, the default stays.
 * @throws ValidationError when it is to be inactive and the default; PAYMENT_METHOD_NOT_FOUND
 */
export function change(before: Methods, id: string, asked: ChangePaymentMethod, now: Date): Methods {
  const method = found(before, id);
  if (asked.is_default === true && asked.status === "inactive") {
    throw new ValidationError("body.is_default", "an inactive payment method cannot be the default");
  }
  const changed: Method = {
    ...method,
    status: asked.is_default === true ? "active" : (asked.status ?? method.status),
    details: asked.details === undefined ? method.details : keptDetails(method.type, asked.details),
    updatedAt: now,
  };
  const methods = before.methods.map((one) => (one === method ? changed : one));
  const stepsDown = asked.is_default === false && before.defaultId === id;
  const successor = stepsDown ? lastActive(methods.filter((one) => one !== changed))?.id : undefined;
  return settled({ methods, defaultId: asked.is_default === true ? id : (successor ?? before.defaultId) });
}

/**
 * Removes a method. If it was the default, the active method that was added last becomes the default, or else the
 * last one.
 */
export function remove(before: Methods, id: string): Methods {
  const method = found(before, id);
  return settled({
    methods: before.methods.filter((one) => one !== method),
    defaultId: before.defaultId === id ? null : before.defaultId,
  });
}

export function found({ methods }: Methods, id: string): Method {
  const method = methods.find((one) => one.id === id);
  if (method === undefined) throw new DomainError("PAYMENT_METHOD_NOT_FOUND", "Payment method not found");
  return method;
}

/** Chooses the default: one of the methods, and an active one if there is any. */
function settled({ methods, defaultId }: Methods): Methods {
  const current = methods.find((one) => one.id === defaultId);
  if (current?.status === "active") return { methods, defaultId };
  return { methods, defaultId: (lastActive(methods) ?? current ?? methods.at(-1))?.id ?? null };
}

const lastActive = (methods: readonly Method[]) => methods.findLast((one) => one.status === "active");

/**
 * The details to store, unchanged: of a card only what identifies it to a person.
 * @throws ValidationError naming the field that breaks its form or a bound, or that must not be stored
 */
export function keptDetails(type: string, details: Details): Details {
  if (depthOf(details) > DETAILS_DEPTH_MAX) {
    throw new ValidationError("body.details", `must not nest deeper than ${DETAILS_DEPTH_MAX} levels`);
  }
  if (Buffer.byteLength(JSON.stringify(details)) > DETAILS_BYTES_MAX) {
    throw new ValidationError("body.details", `must be at most ${sizeText(DETAILS_BYTES_MAX)} of JSON`);
  }
  return CARD_TYPES.includes(type.toLowerCase().replace(/[\s-]+/g, "_")) ? cardDetails(details) : details;
}

const CARD_DETAILS: Readonly<Record<string, { isRight: (value: unknown) => boolean; mustBe: string }>> = {
  last4: {
    isRight: (value) => typeof value === "string" && /^[0-9]{4}$/.test(value),
    mustBe: "four digits, as text",
  },
  brand: {
    isRight: (value) => typeof value === "string" && /^[\p{L}\p{N} ._-]{1,32}$/u.test(value),
    mustBe: "text of 1 to 32 letters and digits",
  },
  exp_month: {
    isRight: (value) => isWhole(value, 1, 12),
    mustBe: "a whole number, 1 to 12, or the same as text",
  },
  exp_year: {
    isRight: (value) => isWhole(value, 2000, 2100),
    mustBe: "a whole number, 2000 to 2100, or the same as text",
  },
};

function cardDetails(details: Details): Details {
  for (const [name, value] of Object.entries(details)) {
    const field = `body.details.${name}`;
    const known = Object.hasOwn(CARD_DETAILS, name) ? CARD_DETAILS[name] : undefined;
    if (known === undefined)
      throw new ValidationError(
        field,
        `is not kept of a card: only ${Object.keys(CARD_DETAILS).join(", ")} are`,
      );
    if (!known.isRight(value)) throw new ValidationError(field, `must be ${known.mustBe}`);
  }
  return details;
}

/** Whether a value is a whole number within bounds, or its digits as text: forms send "03". */
function isWhole(value: unknown, from: number, to: number): boolean {
  const isDigits = typeof value === "string" && /^[0-9]{1,4}$/.test(value);
  const number = isDigits ? Number(value) : value;
  return Number.isInteger(number) && Number(number) >= from && Number(number) <= to;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
