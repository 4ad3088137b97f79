import { existsSync } from "node:fs";
import { openSql } from "../../actors/platform/db/sql.ts";
import { credentialFile } from "../../agents/join/credential-file.ts";
import packageJson from "../../package.json" with { type: "json" };
import { isLocked } from "../../system/instance-lock.ts";
import { agentFolder } from "../backup/kept-files.ts";
import { runningDatabase } from "../running-database.ts";
import { runningNats } from "../running-nats.ts";
import { besideRunning, supervisorLock } from "../running-settings.ts";
import { secretsFile } from "../secrets.ts";
import { readSettings, type Settings } from "../settings.ts";
import { checkAuthority, checkIssuing } from "./certificates.ts";
import { checkCluster } from "./cluster.ts";
import { checkDatabaseHealth, checkGatewayRole } from "./database.ts";
import { type Finding, fault } from "./finding.ts";
import {
  checkBun,
  checkCertificates,
  checkCredential,
  checkDisk,
  checkIsolation,
  checkSecrets,
} from "./machine.ts";
import { checkNats } from "./nats.ts";
import { checkPorts } from "./ports.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Looks at everything that this machine reaches of an installation. Nothing is changed. */
export async function examine(environment: Env): Promise<Finding[]> {
  const env = besideRunning(environment);
  const settings = readSettings(env);
  const { data } = settings;
  const agent = agentFolder(data);
  const isOwn = existsSync(secretsFile(data)) && settings.databaseUrl === undefined;
  const isHost = existsSync(credentialFile(agent));
  return [
    checkBun(Bun.version),
    await checkDisk(data),
    checkSecrets(data),
    ...(isOwn ? await checkPorts(settings, isLocked(supervisorLock(data))) : []),
    ...(isHost && env.BERTH_DRIVER !== "process"
      ? await checkIsolation(agent, env.PATH, env.BERTH_RUNTIME || undefined)
      : []),
    ...checkCertificates(agent, env.BERTH_EDGE_CERT),
    ...(await checkCredential(agent)),
    ...(await checkAuthority(env)),
    ...(await examineDatabase(settings, isHost && !isOwn)),
    ...(await examineNats(settings)),
  ];
}

/** @param isHostAlone its database is elsewhere */
async function examineDatabase(settings: Settings, isHostAlone: boolean): Promise<Finding[]> {
  if (isHostAlone && settings.databaseUrl === undefined) return [];
  const remedy = "start it, or correct DATABASE_URL (BERTH_DATA, beside npm start)";
  try {
    const url = settings.gatewayDatabaseUrl ?? settings.databaseUrl ?? runningDatabase(settings.data).gateway;
    const db = openSql(url, { max: 1, name: "berth-doctor" });
    try {
      const version = packageJson.version;
      return [
        ...(await checkDatabaseHealth(db)),
        await checkGatewayRole(db),
        ...(await checkCluster(db, version)),
        ...(await checkIssuing(db)),
      ];
    } finally {
      await db.end({ timeout: 5 });
    }
  } catch (error) {
    return [fault("database", (error as Error).message, remedy)];
  }
}

async function examineNats({ natsUrl, data }: Settings): Promise<Finding[]> {
  const url = natsUrl ?? runningNats(data);
  return url === undefined ? [] : checkNats(url);
}
