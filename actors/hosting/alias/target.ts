import { ValidationError } from "../../../schemas/errors.ts";
import { AGENT_PROGRAMS, isProgramName } from "../../../schemas/hosting/program.ts";

/**
 * What an alias leads to: a program's instance, or a protocol's port (spec, control plane §2, §4.5). That its container has the program was checked
 * by whoever asks.
 */
export interface Target {
  readonly program: string;
  /** Instance of a program; of a protocol the target port. */
  readonly index: number;
}

export interface AskedTarget {
  readonly program?: string;
  readonly port?: number;
  readonly index?: number;
}

/** The default ports of the protocols. */
const PROTOCOL_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ssh", 22],
]);
const FIRST_INSTANCE = 1;
const PORT_MAX = 65_535;

const isProtocol = (program: string): boolean => PROTOCOL_PORTS.has(program);

/** The port in the container that a target leads to; null for a program. */
export const portOf = ({ program, index }: Target): number | null => (isProtocol(program) ? index : null);

/**
 * The requested target; fields that are left out stay as they were. The port of a protocol is `port`, else `index`,
 * else the one in `program`, else the port before if the target was a protocol, else the protocol's default.
 *
 * @throws ValidationError naming the field
 */
export function targetOf(asked: AskedTarget, before?: Target): Target {
  const { program, embedded } = programOf(asked.program, before);
  const kept =
    before !== undefined && isProtocol(before.program) === isProtocol(program) ? before.index : undefined;
  if (isProtocol(program)) {
    const usual = PROTOCOL_PORTS.get(program) as number;
    return { program, index: asked.port ?? asked.index ?? embedded ?? kept ?? usual };
  }
  if (embedded !== undefined) throw hasPort("body.program", program);
  if (asked.port !== undefined) throw hasPort("body.port", program);
  return { program, index: asked.index ?? kept ?? FIRST_INSTANCE };
}

function programOf(
  text: string | undefined,
  before: Target | undefined,
): { program: string; embedded: number | undefined } {
  if (text === undefined) return { program: before?.program ?? "", embedded: undefined };
  const colon = text.indexOf(":");
  const program = colon === -1 ? text : text.slice(0, colon);
  if (!isProtocol(program) && !isProgramName(program)) {
    throw new ValidationError(
      "body.program",
      `must be ${[...AGENT_PROGRAMS, ...PROTOCOL_PORTS.keys()].join(", ")} or a program that the container's image declares`,
    );
  }
  if (colon === -1) return { program, embedded: undefined };
  const port = /^[1-9][0-9]{0,4}$/.test(text.slice(colon + 1)) ? Number(text.slice(colon + 1)) : Number.NaN;
  if (!(port <= PORT_MAX))
    throw new ValidationError("body.program", `must end in a port of 1 to ${PORT_MAX} after its colon`);
  return { program, embedded: port };
}

const hasPort = (field: string, program: string) =>
  new ValidationError(field, `${program} has a port of its own, which cannot be chosen`);
