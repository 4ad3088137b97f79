import pino from "pino";
import { createApp } from "../../../gateway/app.ts";
import { PASSWORD_MEMORY_MB_MIN } from "../../../gateway/auth/passwords.ts";
import { RequestLimits } from "../../../gateway/auth/request-limits.ts";
import type { GatewayContext } from "../../../gateway/context.ts";
import { routes } from "../../../gateway/routes/index.ts";
import { Registry } from "../../../system/prometheus.ts";

import { UNLIMITED } from "../http/sample-app.ts";

/** Every route of the gateway, as the app lists them. */
export const appRoutes = () => appAlone().routes;

/** The gateway's app: nothing is asked of what the routes work with. */
export const appAlone = () =>
  createApp({
    log: pino({ level: "silent" }),
    version: "0",
    registry: new Registry(),
    ready: {},
    requestLimits: new RequestLimits(UNLIMITED, () => "test"),
    routes: routes({
      passwordMemoryMb: PASSWORD_MEMORY_MB_MIN,
      publicUrl: "http://127.0.0.1:3000",
    } as GatewayContext),
  });
