/** Top-ups on one machine: the processors' secrets, and the sandbox of the demo. */

/** Passed only to the gateway: no other process uses them. */
export const PAYMENT_SECRETS = [
  "BERTH_STRIPE_SECRET_KEY",
  "BERTH_BTCPAY_API_KEY",
  "BERTH_CARDPAY_WEBHOOK_SECRETS",
  "BERTH_CRYPTOPAY_WEBHOOK_SECRETS",
];

const PROVIDERS = ["BERTH_CARDPAY", "BERTH_CRYPTOPAY"];

/**
 * The gateway's settings of payments. With the demo, a provider without settings is a sandbox. Without the demo it is off,
 * because anybody who opens a sandbox's page credits a wallet without paying.
 */
export function paymentEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { isDemo, sandboxSecret }: { readonly isDemo: boolean; readonly sandboxSecret: string },
): Record<string, string> {
  const told: Record<string, string> = {};
  for (const name of PAYMENT_SECRETS) if (env[name]) told[name] = env[name];
  const signingSecret = `whsec_${Buffer.from(sandboxSecret).toString("base64")}`;
  for (const name of PROVIDERS) {
    const kind = env[`${name}_PROVIDER`] || (isDemo ? "sandbox" : "none");
    told[`${name}_PROVIDER`] = kind;
    if (kind === "sandbox") told[`${name}_WEBHOOK_SECRETS`] ??= signingSecret;
  }
  return told;
}
