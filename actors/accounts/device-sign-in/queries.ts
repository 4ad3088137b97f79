import type { DeviceSignIn, DeviceSignInStatus } from "../../../schemas/accounts/device-sign-in.ts";
import type { Sql } from "../../platform/db/sql.ts";

interface Row {
  id: string;
  secret_hash: string;
  user_code: string;
  client_name: string;
  address: string | null;
  user_agent: string | null;
  status: DeviceSignInStatus;
  created_at: Date;
  expires_at: Date;
}

/** The sign-in that a program waits for; undefined for one that has expired. */
export async function readDeviceSignIn(
  db: Sql,
  id: string,
): Promise<{ secretHash: string; status: DeviceSignInStatus } | undefined> {
  const [row] = await db<Row[]>`
    SELECT secret_hash, status FROM device_sign_ins WHERE id = ${id} AND expires_at > now()`;
  return row === undefined ? undefined : { secretHash: row.secret_hash, status: row.status };
}

/** The sign-in with this code; undefined for one that has expired. */
export async function findDeviceSignIn(
  db: Sql,
  userCode: string,
): Promise<(DeviceSignIn & { id: string }) | undefined> {
  const [row] = await db<Row[]>`
    SELECT id, user_code, client_name, address, user_agent, status, created_at, expires_at
    FROM device_sign_ins WHERE user_code = ${userCode} AND expires_at > now()`;
  if (row === undefined) return undefined;
  const { id, user_code, client_name, address, user_agent, status } = row;
  const created_at = row.created_at.toISOString();
  return {
    id,
    user_code,
    client_name,
    address,
    user_agent,
    status,
    created_at,
    expires_at: row.expires_at.toISOString(),
  };
}
