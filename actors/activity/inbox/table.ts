import { nullable, timestamp } from "../../runtime/columns.ts";
import { related, rootTable } from "../../runtime/table.ts";
import { readLastDeletions, readMarks } from "./queries.ts";

/** The time up to which the notices of an inbox are read, and the later ones that are read. */
export interface InboxRecord {
  readonly ownReadTo: Date | null;
  readonly globalReadTo: Date | null;
  readonly lastAt: Date | null;
  /** Ids of notices that were marked one by one. */
  readonly marks: ReadonlySet<string>;
  /** Ids of the notices that were deleted last: of two requests to delete one, the second is refused. */
  readonly deleted: readonly string[];
}

export const inboxTable = rootTable<InboxRecord>("inboxes", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    ownReadTo: nullable(timestamp("own_read_to")),
    globalReadTo: nullable(timestamp("global_read_to")),
    lastAt: nullable(timestamp("last_at")),
    marks: related({ load: readMarks }, (ids) => new Set(ids)),
    deleted: related({ load: readLastDeletions }, (ids) => ids),
  },
});
