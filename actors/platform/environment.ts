/** Reads settings from the environment. A missing or invalid one gives an error of one clear line. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** A text that must be set. @throws Error with a line that describes the setting */
export function required(env: Environment, variable: string, meaning: string): string {
  const value = env[variable];
  if (value === undefined || value === "") throw new Error(`${variable} is not set: it names ${meaning}`);
  return value;
}

/** A short name without special characters. */
export function name(env: Environment, variable: string, standard: string): string {
  const value = env[variable] ?? standard;
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(value)) {
    throw new Error(`${variable} is "${value}": it may hold 1 to 40 letters, digits, - and _`);
  }
  return value;
}

/** A whole number within bounds. @throws Error with a line that names them. */
export function integer(
  env: Environment,
  variable: string,
  standard: number,
  min: number,
  max: number,
): number {
  const text = env[variable];
  if (text === undefined || text === "") return standard;
  const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new Error(`${variable} is "${text}": it may be a whole number from ${min} to ${max}`);
  }
  return value;
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** With an alias of 61 and a server's name of 63 characters in front, a name stays below the 253 of DNS. */
const DOMAIN_LENGTH_MAX = 120;

/** A domain name in lower case. @throws Error with a line that describes its form */
export function domain(env: Environment, variable: string, standard: string): string {
  const value = env[variable] || standard;
  if (value.length <= DOMAIN_LENGTH_MAX && DOMAIN.test(value)) return value;
  throw new Error(
    `${variable} is "${value}": it may be a domain name in lower case, such as berth.localhost`,
  );
}

/** One of a few words. @throws Error with a line that names them. */
export function oneOf<const T extends string>(
  env: Environment,
  variable: string,
  standard: T,
  allowed: readonly T[],
): T {
  const text = env[variable] || standard;
  const found = allowed.find((value) => value === text);
  if (found === undefined)
    throw new Error(`${variable} is "${text}": it may be one of ${allowed.join(", ")}`);
  return found;
}

/** Hosts for which plain HTTP is allowed: traffic to them does not leave the machine. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** An address to which secrets are sent: https, or http on this machine. Without a slash at its end. */
export function secureUrl(env: Environment, variable: string, standard: string): string {
  const text = env[variable] || standard;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  // The text is left out: it may hold a password.
  if (url === undefined || !isSecure || url.username !== "" || url.hash !== "")
    throw new Error(`${variable}: give an address such as ${standard}; without https on this machine only`);
  return text.replace(/\/+$/, "");
}
