import { databaseObstacle } from "../external.ts";
import { runningDatabase } from "../running-database.ts";
import type { Settings } from "../settings.ts";
import { type Finding, fault, ok } from "./finding.ts";

export interface Logins {
  readonly findings: Finding[];
  /** One that works, that of gateways if it does; undefined: none. */
  readonly url: string | undefined;
  /** Whether it is that of gateways. */
  readonly isGateways: boolean;
}

/**
 * Whether the database lets in each role of the settings: a gateway that starts says nothing of the password of actor hosts.
 *
 * @throws SetupError when the settings name no database and none runs in BERTH_DATA
 */
export async function checkLogins(settings: Settings): Promise<Logins> {
  const logins = loginsOf(settings);
  const obstacles = await Promise.all(logins.map(([name, url]) => databaseObstacle(url, name)));
  const working = logins.filter((_, n) => obstacles[n] === undefined);
  const faults = logins.flatMap(([name], n) => {
    const obstacle = obstacles[n];
    return obstacle === undefined ? [] : [fault("database", `${name}: ${obstacle.found}`, obstacle.remedy)];
  });
  const fine = ok("database logins", working.map(([name]) => name).join(", "));
  return {
    findings: working.length > 0 ? [...faults, fine] : faults,
    url: working[0]?.[1],
    isGateways: obstacles[0] === undefined,
  };
}

/** The name of each login with its URL, that of gateways first. */
function loginsOf({ gatewayDatabaseUrl, databaseUrl, ownerDatabaseUrl, data }: Settings): [string, string][] {
  const given: [string, string | undefined][] = [
    ["BERTH_GATEWAY_DATABASE_URL", gatewayDatabaseUrl],
    ["DATABASE_URL", databaseUrl],
    ["BERTH_OWNER_DATABASE_URL", ownerDatabaseUrl],
  ];
  const set = given.filter((one): one is [string, string] => one[1] !== undefined);
  if (gatewayDatabaseUrl !== undefined || databaseUrl !== undefined) return set;
  const { gateway, actors } = runningDatabase(data);
  return [
    ["the gateway's role (secrets.json)", gateway],
    ["the actor hosts' role (secrets.json)", actors],
    ...set,
  ];
}
