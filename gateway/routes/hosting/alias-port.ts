import { ValidationError } from "../../../schemas/errors.ts";

interface NamedPort {
  readonly name: unknown;
  readonly port: number;
  readonly protocol: string | undefined;
}

/**
 * A request with the number of a port that it names. The port's protocol must be the program of the alias: a port that speaks another one
 * is a mistake.
 *
 * @param ports of the container
 * @param program the alias's present one, where the request has none
 * @throws ValidationError naming `body.port`
 */
export function withPortNumber<T extends { readonly program?: string; readonly port?: number | string }>(
  { port, ...asked }: T,
  ports: readonly NamedPort[],
  program = asked.program,
): Omit<T, "port"> & { port?: number } {
  if (port === undefined) return asked;
  if (typeof port === "number") return { ...asked, port };
  const named = ports.find(({ name }) => name === port);
  if (named === undefined) throw new ValidationError("body.port", portMissing(port, ports));
  const protocol = program?.split(":")[0];
  if (named.protocol === protocol) return { ...asked, port: named.port };
  throw new ValidationError(
    "body.port",
    `must be a port that speaks ${protocol}: ${port} of the container speaks ${named.protocol}`,
  );
}

const portMissing = (port: string, ports: readonly NamedPort[]): string =>
  ports.length === 0
    ? `must be a number: the container has no port of the name ${port}`
    : `must be a number, or one of ${ports.map(({ name }) => name).join(", ")}`;
