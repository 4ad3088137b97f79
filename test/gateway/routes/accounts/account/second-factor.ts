import { Secret, TOTP } from "otpauth";
import type { StackClient, TestUser } from "../../../../harness/stack-client.ts";
import { as } from "../pool/team.ts";

const PERIOD_MS = 30_000;

/** The code of an app, that of now or of a later step. Gateways take the next one as well, and a step that was used no more. */
export const codeOf = (secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsLater * PERIOD_MS,
  });

export interface SetUp {
  readonly secret: string;
  readonly codes: readonly string[];
  readonly ended: number;
}

/** Sets up codes of an app for a user. The code of this step is used up. */
export async function setUpTotp(stack: StackClient, user: TestUser): Promise<SetUp> {
  const call = as(stack, user);
  const begun = await call("POST", "/auth/second-factor/totp", { current_password: user.password });
  const { secret, setup } = begun.body.data;
  const enabled = await call("PUT", "/auth/second-factor/totp", { setup, code: codeOf(secret) });
  const { recovery_codes, ended } = enabled.body.data;
  return { secret, codes: recovery_codes, ended };
}

/** The challenge that the right password gets. */
export async function challengeOf(
  stack: StackClient,
  { username, password }: TestUser,
): Promise<{ challenge: string; methods: string[]; options: unknown }> {
  const answer = await stack.call("POST", "/api/v1/auth/login", { body: { username, password } });
  if (answer.body.code !== "SECOND_FACTOR_REQUIRED") throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
