import { DomainError } from "../../../schemas/errors.ts";
import { ALIAS_LENGTH_MAX, ALIAS_LENGTH_MIN, isAliasLabel } from "../../../schemas/hosting/alias.ts";

/** The beginning of a container's service addresses: `<project>-<container>-<service>-<instance>`. */
const SERVICE_ADDRESS = /^[0-9a-f]{24}-[0-9a-f]{24}-/;

/** @throws INVALID_ALIAS_FORMAT */
export function assertLabel(text: string): void {
  if (isAliasLabel(text)) return;
  throw new DomainError(
    "INVALID_ALIAS_FORMAT",
    `body.alias: must be ${ALIAS_LENGTH_MIN} to ${ALIAS_LENGTH_MAX} of a-z, 0-9 and hyphen, which is neither first nor last`,
    { field: "body.alias" },
  );
}

/** Whether a name is reserved: by the operator, or since it could be mistaken for the address of a service. */
export const isReserved = (label: string, reserved: ReadonlySet<string>): boolean =>
  reserved.has(label) || SERVICE_ADDRESS.test(label);
