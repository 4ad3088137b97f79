import type { Sql } from "../../../platform/db/sql.ts";
import { newId } from "../../../platform/ids.ts";
import { sandboxKeys } from "../queries.ts";
import { type AiProvider, noSuchKey } from "./provider.ts";

/**
 * A provider for demos and development. Its keys are rows, which every gateway and actor host can read.
 * @param microsPerMinute what the user of each key spends, up to the key's limit, so that the usage visibly grows
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
