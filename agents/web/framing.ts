import { SERVICE_LABELS } from "../../schemas/addresses.ts";

/** A service's host name, which contains the ids of project and container (container services §1). */
const SERVICE_NAME = /^([\da-f]{24}-[\da-f]{24})-[a-z]+-\d+(\.[a-z\d.-]+(?::\d+)?)$/;

/**
 * The origin of the terminal of the same container, whose panel may frame the service's pages. Null if the host name
 * does not identify the container.
 *
 * @param host of the request
 * @param ids of the project and the container, joined with a hyphen, if known
 */
export function terminalBeside(host: string, ids?: string): string | null {
  const lower = host.toLowerCase();
  const [, named, rest = lower.slice(lower.indexOf("."))] = SERVICE_NAME.exec(lower) ?? [];
  const container = ids ?? named;
  return container === undefined ? null : `https://${container}-${SERVICE_LABELS.terminal}-1${rest}`;
}

/** Adds an origin that may frame the page to a Content-Security-Policy, beside those that may. Browsers then ignore X-Frame-Options. */
export const framedAlsoBy = (policy: string, origin: string | null): string =>
  origin === null
    ? policy
    : policy.replace(/frame-ancestors '(?:self|none)'/, `frame-ancestors 'self' ${origin}`);
