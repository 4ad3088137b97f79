import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSql, type Sql } from "../../actors/platform/db/sql.ts";
import { credentialFile } from "../../agents/join/credential-file.ts";
import { isLocked } from "../../system/instance-lock.ts";
import { readSecretBox, type SecretBox } from "../../system/secret-box.ts";
import { VERSION } from "../../system/version.ts";
import { agentFolder } from "../backup/kept-files.ts";
import { runningNats } from "../running-nats.ts";
import { besideRunning, supervisorLock } from "../running-settings.ts";
import { secretsFile } from "../secrets.ts";
import { readSettings, type Settings } from "../settings.ts";
import { checkAuthority, checkIssuing } from "./certificates.ts";
import { checkCluster } from "./cluster.ts";
import { checkDatabaseHealth, checkGatewayRole } from "./database.ts";
import { type Finding, fault } from "./finding.ts";
import { checkHostNats } from "./host-nats.ts";
import { checkKeys, checkSigningKey } from "./keys.ts";
import { checkLogins } from "./logins.ts";
import {
  checkBun,
  checkCertificates,
  checkCredential,
  checkDisk,
  checkIsolation,
  checkSecrets,
} from "./machine.ts";
import { checkNats } from "./nats.ts";
import { checkGatewayPort, checkPorts } from "./ports.ts";
import { checkStoredSecrets } from "./stored-secrets.ts";
import { checkVersions } from "./versions.ts";

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
    ...(await checkKeys(env)),
    ...checkSigningKey(env, data, isOwn),
    ...checkCertificates(agent, { edge: env.BERTH_EDGE_CERT, gateway: env.BERTH_TLS_CERT }),
    ...(await checkCredential(agent)),
    ...(await checkAuthority(env)),
    ...(await examineServers(
      settings,
      isHost && !isOwn,
      env.BERTH_SECRETS_KEY_FILE || join(data, "keys/secrets.key"),
    )),
    // After PostgreSQL and NATS: without them it is not ready.
    ...(env.BERTH_SIGNING_KEY_FILE ? await checkGatewayPort(settings, env) : []),
  ];
}

/** PostgreSQL, then NATS, and then what cannot work without them. @param isHostAlone its database is elsewhere */
async function examineServers(
  settings: Settings,
  isHostAlone: boolean,
  secretsKeyFile: string,
): Promise<Finding[]> {
  if (isHostAlone && settings.databaseUrl === undefined) return checkHostNats(settings);
  const nats = await examineNats(settings);
  try {
    const { findings, url, isGateways } = await checkLogins(settings);
    if (url === undefined) return [...findings, ...nats];
    const db = openSql(url, { max: 1, name: "berth-doctor" });
    try {
      const health = await checkDatabaseHealth(db);
      const isMigrated = !health.some((one) => one.check === "migrations" && isFault(one));
      return [
        ...findings,
        ...health,
        ...(isGateways ? [await checkGatewayRole(db)] : []),
        ...(isMigrated ? await examineSecrets(db, secretsKeyFile) : []),
        ...nats,
        ...(await checkCluster(db, !nats.some(isFault))),
        ...(await checkVersions(db, VERSION)),
        ...(await checkIssuing(db)),
      ];
    } finally {
      await db.end({ timeout: 5 });
    }
  } catch (error) {
    const remedy = "start it, or correct DATABASE_URL (BERTH_DATA, beside npm start)";
    return [fault("database", (error as Error).message, remedy), ...nats];
  }
}

/** What is wrong with the file itself is found where the machine is looked at. */
async function examineSecrets(db: Sql, file: string): Promise<Finding[]> {
  let box: SecretBox;
  try {
    box = readSecretBox(file);
  } catch {
    return [];
  }
  return [await checkStoredSecrets(db, box)];
}

const isFault = ({ state }: Finding): boolean => state === "fault";

async function examineNats({ natsUrl, data }: Settings): Promise<Finding[]> {
  const url = natsUrl ?? runningNats(data);
  return url === undefined ? [] : checkNats(url);
}
