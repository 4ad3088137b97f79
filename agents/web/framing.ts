import { SERVICE_LABELS } from "../../schemas/addresses.ts";

/** A service's name, which tells of which container it is: container services §1. */
const SERVICE_NAME = /^([\da-f]{24}-[\da-f]{24})-[a-z]+-\d+(\.[a-z\d.-]+(?::\d+)?)$/;

/**
 * The origin of the terminal beside a service of the same container: its panel may show the service's pages. Null where the name
 * does not tell which container it is.
 *
 * @param host as the request says it
 * @param ids of the project and the container, with a hyphen between, where they are known
 */
export function terminalBeside(host: string, ids?: string): string | null {
  const lower = host.toLowerCase();
  const [, named, rest = lower.slice(lower.indexOf("."))] = SERVICE_NAME.exec(lower) ?? [];
  const container = ids ?? named;
  return container === undefined ? null : `https://${container}-${SERVICE_LABELS.terminal}-1${rest}`;
}

/** A content security policy with one more origin whose pages may frame the page. Browsers then ignore X-Frame-Options. */
export const framedAlsoBy = (policy: string, origin: string | null): string =>
  origin === null
    ? policy
    : policy.replace(/frame-ancestors '(?:self|none)'/, `frame-ancestors 'self' ${origin}`);
