import type { Sql } from "../../../platform/db/sql.ts";
import { newId } from "../../../platform/ids.ts";
import { sandboxKeys } from "../queries.ts";
import { type AiProvider, noSuchKey } from "./provider.ts";

/**
 * A provider of our own for demos and development: its keys are rows, which every gateway and host sees.
 * @param microsPerMinute what the user of each key spends, up to the key's limit, so that usage can be seen to move
 */
export const sandboxProvider = (db: Sql, microsPerMinute: number): AiProvider => ({
  name: "sandbox",
  find: (name) => sandboxKeys.find(db, name),
  create: (name, limitMicros) => sandboxKeys.insert(db, `sandbox-${newId()}`, name, limitMicros),
  async setLimit(keyId, limitMicros) {
    if (!(await sandboxKeys.setLimit(db, keyId, limitMicros))) throw noSuchKey();
  },
  async read(keyId) {
    const reading = await sandboxKeys.read(db, keyId, microsPerMinute);
    if (reading === undefined) throw noSuchKey();
    return reading;
  },
});
