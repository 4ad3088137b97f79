import { createHash, randomBytes, randomInt } from "node:crypto";
import { DEVICE_CODE, USER_CODE_LETTERS } from "../../schemas/accounts/device-sign-in.ts";

const SECRET_BYTES = 32;
/** Twenty letters to the eighth: a person who is signed in and guesses finds none in ten minutes. */
const LETTERS = 8;

export interface DeviceCode {
  readonly text: string;
  readonly secretHash: string;
}

/** The code of a program: the sign-in's id, and a secret of which a hash is stored. */
export function newDeviceCode(id: string): DeviceCode {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { text: `${id}.${secret}`, secretHash: hashOf(secret) };
}

/** The sign-in and the secret's hash of a code in the right form. */
export function parseDeviceCode(text: string): { id: string; secretHash: string } {
  const [, id = "", secret = ""] = DEVICE_CODE.exec(text) ?? [];
  return { id, secretHash: hashOf(secret) };
}

/** A code for people: `WDJB-MJHT`. */
export const newUserCode = (): string =>
  grouped(
    Array.from({ length: LETTERS }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(""),
  );

/** The code as it is stored, however it was typed. */
export const userCodeOf = (typed: string): string => grouped(typed.toUpperCase().replace(/[^A-Z]/g, ""));

const grouped = (letters: string): string => `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}`;
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
