import type { Sql } from "../db/sql.ts";
import type { Loaded } from "../runtime/definition.ts";

export interface ServerState {
  readonly name: string;
  readonly status: "in_stock" | "rented";
  readonly specs: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export async function loadServers(
  db: Sql,
  ids: readonly string[],
): Promise<Map<string, Loaded<ServerState>>> {
  const rows = await db<
    {
      id: string;
      version: bigint;
      name: string;
      status: ServerState["status"];
      specs: Record<string, unknown>;
      created_at: Date;
    }[]
  >`SELECT id, version, name, status, specs, created_at FROM servers WHERE id = ANY (${[...ids]}::text[])`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        version: Number(row.version),
        state: { name: row.name, status: row.status, specs: row.specs, createdAt: row.created_at },
      },
    ]),
  );
}

/** The server of this id if the user rents it now; undefined otherwise. */
export async function readRentedServer(
  db: Sql,
  userId: string,
  serverId: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await db<{ id: string; name: string }[]>`
    SELECT s.id, s.name FROM servers s JOIN rentals r ON r.server_id = s.id
    WHERE s.id = ${serverId} AND r.user_id = ${userId} AND r.status = 'active' AND r.rental_end > now()`;
  return row;
}
