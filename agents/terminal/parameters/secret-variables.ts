/** Words of a variable's name that say that it holds a secret, such as `DB_PASSWORD`, `GITHUB_TOKEN` and `apiKey`. */
export const SECRET_NAME =
  /(^|_)(pass|key|auth|pat|cookie|dsn)(_|$)|passw(or)?d|passphrase|secret|token|credential|(api|access|private)key/i;
/** A URL with a password in it. */
export const SECRET_VALUE = /:\/\/[^/?#@\s]*:[^/?#@\s]+@/;

/**
 * Whether `KEY=VALUE` of the parameter `env` is taken out of the address, as the other secrets are.
 *
 * @param pair as it stands in the query, decoded
 */
export function isSecretVariable(pair: string): boolean {
  const [name = "", ...value] = pair.split("=");
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value.join("="));
}
