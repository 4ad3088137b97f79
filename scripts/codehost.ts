/** A code host on one machine: the sandbox of the demo. */

const OWN_SETTINGS = ["BERTH_CODEHOST_PROVIDER", "BERTH_CODEHOST_CLIENT_ID", "BERTH_CODEHOST_BONUS_REPO"];

/** What the offer of the demo names, where nothing else was set. */
const DEMO_REPO = "berth/demo";

/**
 * With the demo, and without settings of a code host, it is a sandbox, and there is a bonus for linking. Without the demo it is off: anybody can
 * be anybody there. The secret is for the gateway alone.
 */
export function codehostEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { isDemo, sandboxSecret }: { readonly isDemo: boolean; readonly sandboxSecret: string },
): { gateway: Record<string, string>; actors: Record<string, string> } {
  const clientSecret = env.BERTH_CODEHOST_CLIENT_SECRET;
  const isUnset = OWN_SETTINGS.every((name) => !env[name]);
  const offer: Record<string, string> = isDemo && isUnset ? { BERTH_CODEHOST_BONUS_REPO: DEMO_REPO } : {};
  const isSandbox = (isDemo && isUnset) || env.BERTH_CODEHOST_PROVIDER === "sandbox";
  const sandbox = isSandbox
    ? { BERTH_CODEHOST_PROVIDER: "sandbox", BERTH_CODEHOST_CLIENT_SECRET: clientSecret || sandboxSecret }
    : {};
  return {
    actors: offer,
    gateway: {
      ...offer,
      ...(clientSecret ? { BERTH_CODEHOST_CLIENT_SECRET: clientSecret } : {}),
      ...sandbox,
    },
  };
}
