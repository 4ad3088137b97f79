import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateToken } from "./create-token.tsx";
import { AccountHead } from "./tabs.tsx";

type Token = Schemas["ApiToken"];
export const TOKENS_KEY = ["account", "tokens"] as const;

/** What programs sign in with, each with no more than it needs. */
export default function TokensPage() {
  const [creates, setCreates] = useState(false);
  useAsked(() => setCreates(true));
  const [ended, setEnded] = useState<Token>();
  const query = useList(TOKENS_KEY, async (cursor) => {
    const { tokens, pagination } = await dataOf(
      api.GET("/api/v1/auth/tokens", { params: { query: from(cursor) } }),
    );
    return { items: tokens, next: pagination.next_cursor };
  });
  const create = (
    <Button look="primary" icon="plus" onPress={() => setCreates(true)}>
      Create a token
    </Button>
  );
  return (
    <>
      <AccountHead>{create}</AccountHead>
      <LoadedList
        query={query}
        empty={
          <Empty
            icon="account"
            title="No API tokens yet"
            action={<Button onPress={() => setCreates(true)}>Create the first token</Button>}
          >
            A program signs in with a token instead of your password. It may do what you allow it, until you
            delete it.
          </Empty>
        }
      >
        {(tokens) => (
          <Table caption="API tokens" columns={columnsOf(setEnded)} rows={tokens} keyOf={({ id }) => id} />
        )}
      </LoadedList>
      {creates && <CreateToken onClose={() => setCreates(false)} />}
      {ended && <DeleteToken token={ended} onClose={() => setEnded(undefined)} />}
    </>
  );
}

const columnsOf = (onDelete: (token: Token) => void): readonly Column<Token>[] => [
  { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
  {
    title: "May",
    cell: ({ permissions }) => (
      <span className="reference">{permissions.length === 0 ? "nothing" : permissions.join(", ")}</span>
    ),
  },
  { title: "Created", cell: ({ created_at }) => <When at={created_at} /> },
  {
    title: "Expires",
    cell: ({ expires_at }) => (expires_at === null ? "never" : <When at={expires_at} />),
  },
  {
    title: "Delete",
    isActions: true,
    cell: (token) => (
      <Button look="remove" aria-label={`Delete ${token.name}`} onPress={() => onDelete(token)}>
        Delete
      </Button>
    ),
  },
];

const DeleteToken = ({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) => (
  <Confirm
    title={`Delete the token ${name}?`}
    action="Delete the token"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        "The token is deleted",
        () => api.DELETE("/api/v1/auth/tokens/{id}", { params: { path: { id } } }),
        TOKENS_KEY,
      )
    }
    command={{ method: "DELETE", path: `/api/v1/auth/tokens/${id}`, berth: ["token", "delete", id] }}
  >
    <p>Programs that use it are refused from now on.</p>
  </Confirm>
);
