import { pino } from "pino";
import { Images } from "../../../../agents/containers/images/images.ts";
import { DEFAULT_LIMITS } from "../../../../agents/containers/limits.ts";

/** An agent that is killed as it pulls: `pull-victim.ts <folder> <host> <reference>`. */

const [folder = "", host = "", reference = ""] = process.argv.slice(2);
const settings = {
  local: new Map([[host, new URL(`http://${host}`)]]),
  mirrors: new Map(),
  credentialsFile: null,
};
const images = new Images({ folder, settings, limits: DEFAULT_LIMITS, log: pino({ level: "silent" }) });
await images.prepare();
await images.ensure(reference, () => process.exit(0)).catch(() => undefined);
