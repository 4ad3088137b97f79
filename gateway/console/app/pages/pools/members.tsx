import { act } from "../../lib/actions.ts";
import { api, type Schemas } from "../../lib/api.ts";
import { currentSession } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Pool = Schemas["PoolDetail"];
interface Row {
  readonly userId: string;
  readonly username: string;
  readonly role: Schemas["Role"];
  readonly at: string;
  readonly isInvited: boolean;
}

/** Who is in the pool, and who is asked to be. */
export function Members({ pool }: { pool: Pool }) {
  const rows: Row[] = [
    ...pool.members.map(({ user_id, username, role, joined_at }) => ({
      userId: user_id,
      username,
      role,
      at: joined_at,
      isInvited: false,
    })),
    ...pool.invitations.map(({ user_id, username, role, created_at }) => ({
      userId: user_id,
      username,
      role,
      at: created_at,
      isInvited: true,
    })),
  ];
  return (
    <Section title="Members">
      <Table caption="Members" columns={columnsOf(pool)} rows={rows} keyOf={({ userId }) => userId} />
    </Section>
  );
}

const columnsOf = (pool: Pool): readonly Column<Row>[] => [
  { title: "Name", cell: ({ username }) => <strong>{username}</strong> },
  {
    title: "Role",
    cell: (row) => (mayChangeRole(pool, row) ? <RoleChoice pool={pool} row={row} /> : row.role),
  },
  {
    title: "State",
    cell: ({ isInvited }) =>
      isInvited ? <Status tone="busy">invited</Status> : <Status tone="good">member</Status>,
  },
  { title: "Since", cell: ({ at }) => <When at={at} /> },
  {
    title: "Remove",
    isActions: true,
    cell: (row) =>
      mayRemove(pool, row) && (
        <Button
          look="remove"
          aria-label={`${row.isInvited ? "Withdraw the invitation of" : "Remove"} ${row.username}`}
          onPress={() => remove(pool, row)}
        >
          {row.isInvited ? "Withdraw" : "Remove"}
        </Button>
      ),
  },
];

/** Only the owner changes roles; an invitation is withdrawn and made again. */
const mayChangeRole = (pool: Pool, { role, isInvited }: Row) =>
  pool.role === "owner" && role !== "owner" && !isInvited;

/** Nobody removes the owner. One leaves by the button above. */
const mayRemove = (pool: Pool, { role, userId }: Row) =>
  pool.role !== "user" && role !== "owner" && userId !== currentSession()?.user.id;

const RoleChoice = ({ pool, row }: { pool: Pool; row: Row }) => (
  <select
    className="rating"
    aria-label={`Role of ${row.username}`}
    value={row.role}
    onChange={({ target }) =>
      void act(
        `${row.username} is ${target.value}`,
        () =>
          api.PUT("/api/v1/pools/{id}/members/{userId}", {
            params: { path: { id: pool.id, userId: row.userId } },
            body: { role: target.value as Schemas["MemberRole"] },
          }),
        ["pools"],
      )
    }
  >
    <option value="user">user</option>
    <option value="admin">admin</option>
  </select>
);

const remove = (pool: Pool, { userId, username, isInvited }: Row) =>
  act(
    isInvited ? "The invitation is withdrawn" : `${username} is removed`,
    () => api.DELETE("/api/v1/pools/{id}/members/{userId}", { params: { path: { id: pool.id, userId } } }),
    ["pools"],
  );
