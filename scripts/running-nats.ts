import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { urlWithCreds } from "./nats-operator.ts";

/** The NATS of `npm start`, by the configuration that it was started with; undefined: none was started in the folder. */
export function runningNats(data: string): string | undefined {
  const [config, creds] = [join(data, "nats/nats.conf"), join(data, "keys/control.creds")];
  if (!existsSync(config) || !existsSync(creds)) return undefined;
  const [, address] = /^listen: "([^"]+)"/m.exec(readFileSync(config, "utf8")) ?? [];
  return address === undefined ? undefined : urlWithCreds(address, creds);
}
