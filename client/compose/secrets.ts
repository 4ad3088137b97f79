import type { Container } from "../index.ts";
import type { WantedContainer } from "./service.ts";

/**
 * Secrets cannot be read, so a label of the container has a keyed hash of their values. Without the key, which stays on the machine that
 * set them by the command line, the hash tells nothing about them.
 */
export const SECRETS_LABEL = "berth.secrets";

/** "unknown": they were set from another machine, by the console, by hand, or never. */
export function compareSecrets(present: Container, wanted: WantedContainer): "same" | "changed" | "unknown" {
  const [now = "", next] = [present.labels[SECRETS_LABEL], wanted.settings.labels[SECRETS_LABEL]];
  if (next === undefined) return wanted.env.some(({ secret }) => secret) ? "unknown" : "same";
  if (next === now) return "same";
  return now.split(".")[0] === next.split(".")[0] ? "changed" : "unknown";
}
