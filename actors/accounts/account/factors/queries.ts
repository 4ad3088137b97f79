import type { Role } from "../../../../schemas/accounts/auth.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import { factorsMark, hasSecondFactor, type Passkey, type Totp } from "./rules.ts";

interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  credential_id: string;
  public_key: string;
  counter: bigint;
  transports: string[];
  synced: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** What decides whether a proof of the second factor is right. */
export interface Factors {
  readonly username: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** Whether the password alone does not sign in. */
  readonly enabled: boolean;
  /** Says which they are. */
  readonly mark: string;
  readonly totp: Totp | null;
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly Passkey[];
}

/** The second factors of a user, with the password's hash, to which challenges are bound. */
export async function readFactors(db: Sql, userId: string): Promise<Factors | undefined> {
  const [[account], rows] = await Promise.all([
    db<
      { username: string; role: Role; password_hash: string; totp: Totp | null; recovery_codes: string[] }[]
    >`
      SELECT username, role, password_hash, totp, recovery_codes FROM accounts WHERE id = ${userId} AND deletion IS NULL`,
    db<PasskeyRow[]>`SELECT * FROM passkeys WHERE user_id = ${userId} ORDER BY created_at, id`,
  ]);
  if (account === undefined) return undefined;
  const { username, role, totp } = account;
  const passkeys = rows.map(toPasskey);
  return {
    username,
    role,
    passwordHash: account.password_hash,
    enabled: hasSecondFactor({ totp, passkeys }),
    mark: factorsMark({ totp, passkeys }),
    totp,
    recoveryCodes: account.recovery_codes,
    passkeys,
  };
}

/** The passkey that a browser names by this id, with its user. */
export async function findPasskey(
  db: Sql,
  credentialId: string,
): Promise<{ userId: string; passkey: Passkey } | undefined> {
  const [row] = await db<PasskeyRow[]>`SELECT * FROM passkeys WHERE credential_id = ${credentialId}`;
  return row === undefined ? undefined : { userId: row.user_id, passkey: toPasskey(row) };
}

/** Whether the user has a second factor. */
export async function readHasSecondFactor(db: Sql, userId: string): Promise<boolean> {
  const rows = await db`
    SELECT FROM accounts WHERE id = ${userId} AND totp IS NOT NULL
    UNION ALL SELECT FROM passkeys WHERE user_id = ${userId} LIMIT 1`;
  return rows.length > 0;
}

const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports,
  synced: row.synced,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
