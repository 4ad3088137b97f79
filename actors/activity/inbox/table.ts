import { nullable, timestamp } from "../../runtime/columns.ts";
import { related, rootTable } from "../../runtime/table.ts";
import { readMarks } from "./queries.ts";

/** Up to when the notices of an inbox are read, and which later ones. */
export interface InboxRecord {
  readonly ownReadTo: Date | null;
  readonly globalReadTo: Date | null;
  readonly lastAt: Date | null;
  /** Read one by one: ids. */
  readonly marks: ReadonlySet<string>;
}

export const inboxTable = rootTable<InboxRecord>("inboxes", {
  key: "id",
  changedAt: "updated_at",
  fields: {
    ownReadTo: nullable(timestamp("own_read_to")),
    globalReadTo: nullable(timestamp("global_read_to")),
    lastAt: nullable(timestamp("last_at")),
    marks: related({ load: readMarks }, (ids) => new Set(ids)),
  },
});
