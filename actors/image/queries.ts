import type { Sql } from "../db/sql.ts";
import type { Loaded } from "../runtime/definition.ts";

export interface Image {
  readonly alias: string;
  readonly description: string;
  readonly imageName: string;
  readonly architecture: string;
  readonly os: string;
  readonly release: string;
  readonly variant: string;
  readonly priceCents: bigint;
  /** What a container of this image runs, as argv. */
  readonly command: readonly string[];
  readonly createdAt: Date;
}

export async function loadImages(db: Sql, ids: readonly string[]): Promise<Map<string, Loaded<Image>>> {
  const rows = await db<
    {
      id: string;
      version: bigint;
      alias: string;
      description: string;
      image_name: string;
      architecture: string;
      os: string;
      release: string;
      variant: string;
      price_cents: bigint;
      command: string[];
      created_at: Date;
    }[]
  >`SELECT * FROM images WHERE id = ANY (${[...ids]}::text[])`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        version: Number(row.version),
        state: {
          alias: row.alias,
          description: row.description,
          imageName: row.image_name,
          architecture: row.architecture,
          os: row.os,
          release: row.release,
          variant: row.variant,
          priceCents: row.price_cents,
          command: row.command,
          createdAt: row.created_at,
        },
      },
    ]),
  );
}

/** What a new container of a free image runs; undefined when there is no such image. */
export async function readImageCommand(db: Sql, id: string): Promise<string[] | undefined> {
  const [row] = await db<
    { command: string[] }[]
  >`SELECT command FROM images WHERE id = ${id} AND price_cents = 0`;
  return row?.command;
}
