import type { Sql } from "../../../platform/db/sql.ts";
import type { AiProviderSettings } from "../../../platform/settings.ts";
import { openRouter } from "./openrouter.ts";
import type { AiProvider } from "./provider.ts";
import { sandboxProvider } from "./sandbox.ts";

/** The provider that an operator has chosen, if any. */
export function connectProvider(settings: AiProviderSettings, db: Sql): AiProvider | undefined {
  switch (settings.provider) {
    case "none":
      return undefined;
    case "sandbox":
      return sandboxProvider(db, settings.microsPerMinute);
    case "openrouter":
      return openRouter(settings.url, settings.provisioningKey);
  }
}
