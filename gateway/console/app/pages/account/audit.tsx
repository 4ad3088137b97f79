import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { from, useList } from "../../lib/lists.ts";
import { DataOf } from "../../ui/data-of.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { DateTime } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AccountHead } from "./tabs.tsx";

type Entry = Schemas["AuditEntry"];

/** What was done with the account's credentials, by whom and from where. */
export default function AuditPage() {
  const query = useList(["account", "audit"], async (cursor) => {
    const { entries, pagination } = await dataOf(
      api.GET("/api/v1/auth/audit", { params: { query: from(cursor) } }),
    );
    return { items: entries, next: pagination.next_cursor };
  });
  return (
    <>
      <AccountHead />
      <p className="hint bar">
        Something here that was not you? Change the password, end all other sessions, and delete the API
        tokens.
      </p>
      <LoadedList query={query} rows={8} empty={<Empty icon="account" title="Nothing yet" />}>
        {(entries) => <Table caption="Audit log" columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />}
      </LoadedList>
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { title: "What", cell: ({ act }) => <strong>{act.replaceAll("_", " ")}</strong> },
  { title: "By", cell: ({ by }) => by ?? "somebody who did not prove who they are" },
  { title: "Details", cell: ({ data }) => <DataOf data={data} /> },
  { title: "When", cell: ({ created_at }) => <DateTime at={created_at} />, isFigure: true },
];
