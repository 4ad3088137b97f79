import { OciDriver, type OciOptions } from "../../../agents/containers/oci/driver.ts";
import type { AddressPool } from "../../../agents/network/addresses.ts";
import { temporaryFolder } from "../../harness/servers.ts";

/** One for all drivers of a test: like agents after each other, they know whose ids are whose. */
const idRanges = temporaryFolder();

/** The driver that an agent has where containers can be isolated. */
export const newDriver = (pool: AddressPool, options: Partial<OciOptions> = {}): OciDriver =>
  new OciDriver(pool, { idRanges, ...options });
