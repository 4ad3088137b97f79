import type { Sql } from "../sql.ts";

/** A value that is stored encrypted. */
export interface SealedValue {
  readonly kind: "variable" | "registry" | "totp" | "certificate" | "acme";
  /** The id of what has it, or its name where that is what the value was encrypted for. */
  readonly of: string;
  /** Of the container, project, account or certificate, for people. */
  readonly owner: string;
  /** Of the variable or the registry. */
  readonly name: string;
  readonly sealed: string;
}

/** Everything that is encrypted by the key of secrets (system/secret-box.ts), up to a limit. */
export const readSealedValues = (db: Sql, limit: number): Promise<SealedValue[]> => db<SealedValue[]>`
  SELECT 'variable' AS kind, c.id AS of, c.name AS owner, e->>'name' AS name, e->>'sealed' AS sealed
  FROM containers c, jsonb_array_elements(c.env) e WHERE e ? 'sealed' AND c.desired_state <> 'deleted'
  UNION ALL
  SELECT 'registry', p.id, p.name, e->>'registry', e->>'sealed'
  FROM projects p, jsonb_array_elements(p.registry_credentials) e
  UNION ALL
  SELECT 'totp', id, username, '', totp->>'sealed' FROM accounts WHERE totp IS NOT NULL AND totp <> 'null'
  UNION ALL
  SELECT 'certificate', name, name, '', sealed_key FROM certificates WHERE sealed_key IS NOT NULL
  UNION ALL
  SELECT 'acme', directory_url, directory_url, '', sealed_key FROM acme_accounts
  LIMIT ${limit}`;
