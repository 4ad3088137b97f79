import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { DataOf } from "../../ui/data-of.tsx";
import { Field } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { DateTime } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { OperatorHead } from "./tabs.tsx";
import { UserLink } from "./user-link.tsx";

type Entry = Schemas["PrivilegedEntry"];

/** Each act of an administrator: who, what, whom, when, and by which request. */
export default function OperatorAuditPage() {
  const [filters, change] = useFilters(["request_id", "start_date"]);
  const { request_id = "", start_date = "" } = filters;
  const query = useList(["operator", "audit", filters], async (cursor) => {
    const given = {
      ...(request_id === "" ? {} : { request_id }),
      ...(start_date === "" ? {} : { start_date: new Date(`${start_date}T00:00`).toISOString() }),
      ...from(cursor),
    };
    const { entries, pagination } = await dataOf(
      api.GET("/api/v1/admin/audit", { params: { query: given } }),
    );
    return { items: entries, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead />
      <search className="filters" aria-label="Audit log">
        <Field
          label="Request"
          type="search"
          value={request_id}
          onChange={(request_id) => change({ request_id })}
          placeholder="id of a request"
        />
        <Field
          label="From"
          type="date"
          value={start_date}
          onChange={(start_date) => change({ start_date })}
        />
      </search>
      <LoadedList
        query={query}
        rows={8}
        empty={
          request_id === "" && start_date === "" ? (
            <Empty icon="operator" title="No administrator has done anything yet">
              Each credit, refund, suspension and other change that only administrators make is recorded here.
            </Empty>
          ) : (
            <Empty icon="search" title="No entry matches">
              No administrator did anything by this request or since this day. Clear the fields to see all.
            </Empty>
          )
        }
      >
        {(entries) => <Table caption="Audit log" columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />}
      </LoadedList>
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { title: "What", cell: ({ act }) => <strong>{act.replaceAll("_", " ")}</strong> },
  { title: "By", cell: ({ by, by_id }) => by ?? by_id },
  {
    title: "Whom",
    cell: ({ user, user_id }) => (user_id === null ? "–" : <UserLink id={user_id} name={user ?? user_id} />),
  },
  { title: "Details", cell: ({ data }) => <DataOf data={data} /> },
  {
    title: "Request",
    cell: ({ request_id }) => (request_id === null ? "–" : <code>{request_id}</code>),
    isMinor: true,
  },
  { title: "When", cell: ({ created_at }) => <DateTime at={created_at} />, isFigure: true },
];
