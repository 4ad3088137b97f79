import { argon2id, Passwords } from "./passwords.ts";
import { SignInLimits } from "./sign-in-limits.ts";

/** What all routes that check a password share: a guess counts wherever it is made. */
export interface SignIn {
  readonly passwords: Passwords;
  readonly limits: SignInLimits;
}

/** @param memoryMb what Argon2 takes for each hash */
export const newSignIn = (memoryMb: number): SignIn => ({
  passwords: new Passwords(argon2id(memoryMb)),
  limits: new SignInLimits(),
});
