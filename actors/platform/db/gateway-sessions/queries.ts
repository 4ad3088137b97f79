import type { Sql } from "../sql.ts";
import { type GatewaySession, readGatewaySession } from "./name.ts";

/** The gateways that are connected to this database. Gateways of one version on one machine are one. */
export async function listGatewaySessions(db: Sql): Promise<GatewaySession[]> {
  const rows = await db<{ application_name: string }[]>`
    SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'berth-gateway%' ORDER BY 1`;
  return rows.flatMap(({ application_name: name }) => readGatewaySession(name) ?? []);
}
