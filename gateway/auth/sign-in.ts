import type { GatewayContext } from "../context.ts";
import { Challenges } from "./challenges.ts";
import { argon2id, Passwords } from "./passwords.ts";
import { SecondFactors } from "./second-factors.ts";
import { SignInLimits } from "./sign-in-limits.ts";

/** What all routes that check a password or a second factor share: a guess counts wherever it is made. */
export interface SignIn {
  readonly passwords: Passwords;
  readonly limits: SignInLimits;
  readonly factors: SecondFactors;
  readonly challenges: Challenges;
}

export const newSignIn = (
  context: Pick<GatewayContext, "passwordMemoryMb" | "publicUrl" | "secrets" | "issuer">,
): SignIn => ({
  passwords: new Passwords(argon2id(context.passwordMemoryMb)),
  limits: new SignInLimits(),
  factors: new SecondFactors(context),
  challenges: new Challenges(context.issuer),
});
