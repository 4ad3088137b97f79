import { VERSION } from "../../../../system/version.ts";

/** PostgreSQL cuts the name of a session after so many bytes. */
const NAME_LENGTH_MAX = 63;
const PROGRAM = "berth-gateway";

/** Gateways write nothing: what their sessions are called says which of them there are, and of which version. */
export const gatewaySession = (machine: string, version: string = VERSION): string =>
  `${PROGRAM} ${version} ${machine}`.slice(0, NAME_LENGTH_MAX);

export interface GatewaySession {
  readonly machine: string;
  /** Null: of a version that did not say so. */
  readonly version: string | null;
}

/** Undefined: it is another program's. */
export function readGatewaySession(name: string): GatewaySession | undefined {
  const [program, version, machine = ""] = name.split(" ");
  if (program !== PROGRAM) return undefined;
  return { machine, version: version ?? null };
}
