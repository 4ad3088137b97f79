import type { Sql } from "../../platform/db/sql.ts";
import type { Loaded } from "../../runtime/definition.ts";
import type { Library } from "./rules.ts";

interface RatingRow {
  user_id: string;
  image_id: string;
  hundredths: number;
  counted: number | null;
  telling: string | null;
  next: string | null;
}

/** Libraries of these users, for their actors. */
export async function loadLibraries(
  db: Sql,
  userIds: readonly string[],
): Promise<Map<string, Loaded<Library>>> {
  const ids = [...userIds];
  const [libraries, owned, ratings] = await Promise.all([
    db<{ user_id: string; version: bigint; acquiring: Library["acquiring"] }[]>`
      SELECT user_id, version, acquiring FROM image_libraries WHERE user_id = ANY (${ids}::text[])`,
    db<{ user_id: string; image_id: string }[]>`
      SELECT user_id, image_id FROM owned_images WHERE user_id = ANY (${ids}::text[])`,
    db<RatingRow[]>`SELECT * FROM image_ratings WHERE user_id = ANY (${ids}::text[])`,
  ]);
  const ownedBy = Map.groupBy(owned, (row) => row.user_id);
  const ratingsBy = Map.groupBy(ratings, (row) => row.user_id);
  return new Map(
    libraries.map(({ user_id, version, acquiring }) => [
      user_id,
      {
        version: Number(version),
        state: {
          owned: new Set((ownedBy.get(user_id) ?? []).map(({ image_id }) => image_id)),
          acquiring,
          ratings: new Map(
            (ratingsBy.get(user_id) ?? []).map(({ image_id, hundredths, counted, telling, next }) => [
              image_id,
              { hundredths, counted, telling, next },
            ]),
          ),
        },
      },
    ]),
  );
}
