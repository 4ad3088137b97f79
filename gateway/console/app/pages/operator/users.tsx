import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatDate } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { OperatorHead } from "./tabs.tsx";

type User = Schemas["ManagedUser"];

/** All accounts, to be found by a part of a name or address. */
export default function UsersPage() {
  const [filters, change] = useFilters(["search", "status"]);
  const query = useList(["operator", "users", filters], async (cursor) => {
    const given = { ...filters, ...from(cursor) } as { status?: User["status"] };
    const { users, pagination } = await dataOf(api.GET("/api/v1/admin/users", { params: { query: given } }));
    return { items: users, next: pagination.next_cursor };
  });
  return (
    <>
      <OperatorHead />
      <search className="filters" aria-label="Users">
        <Field
          label="Search"
          type="search"
          value={filters.search ?? ""}
          onChange={(search) => change({ search })}
          placeholder="name, e-mail or id"
        />
        <ChoiceField
          label="State"
          value={filters.status ?? ""}
          onChange={(status) => change({ status })}
          choices={["", "active", "suspended", "deleted"].map((value) => ({ value, label: value || "any" }))}
        />
      </search>
      <LoadedList query={query} rows={8} empty={<Empty icon="account" title="No such user" />}>
        {(users) => (
          <Table
            caption="Users"
            columns={COLUMNS}
            rows={users}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/operator/users/${id}`}
          />
        )}
      </LoadedList>
    </>
  );
}

const COLUMNS: readonly Column<User>[] = [
  { title: "Name", cell: ({ username }) => username },
  { title: "E-mail", cell: ({ email }) => email },
  { title: "Role", cell: ({ role }) => role },
  { title: "State", cell: ({ status }) => <UserState status={status} /> },
  {
    title: "Signed in",
    cell: ({ last_signed_in_at }) => (last_signed_in_at === null ? "never" : <When at={last_signed_in_at} />),
  },
  { title: "Since", cell: ({ created_at }) => formatDate(created_at), isFigure: true, isMinor: true },
];

export const UserState = ({ status }: { status: User["status"] }) => (
  <Status tone={status === "active" ? "good" : "bad"}>{status}</Status>
);
