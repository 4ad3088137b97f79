import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { from, useList } from "../../lib/lists.ts";
import { perform } from "../../lib/perform.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { AccountHead } from "./tabs.tsx";

type Session = Schemas["SessionInfo"];
const KEY = ["account", "sessions"] as const;

/** Where one is signed in, and a way to end that. */
export default function SessionsPage() {
  const [endsOthers, setEndsOthers] = useState(false);
  const query = useList(KEY, async (cursor) => {
    const { sessions, pagination } = await dataOf(
      api.GET("/api/v1/auth/sessions", { params: { query: from(cursor) } }),
    );
    return { items: sessions, next: pagination.next_cursor };
  });
  return (
    <>
      <AccountHead>
        <Button look="risky" onPress={() => setEndsOthers(true)}>
          End all others
        </Button>
      </AccountHead>
      <LoadedList query={query} empty={<Empty icon="account" title="No sessions" />}>
        {(sessions) => <Table caption="Sessions" columns={COLUMNS} rows={sessions} keyOf={({ id }) => id} />}
      </LoadedList>
      {endsOthers && (
        <Confirm
          title="End all other sessions?"
          action="End them"
          isDangerous
          onClose={() => setEndsOthers(false)}
          onConfirm={() =>
            perform(
              "All other sessions have ended",
              () => api.DELETE("/api/v1/auth/sessions", { params: { query: { keep_current: "true" } } }),
              KEY,
            )
          }
          command={{
            method: "DELETE",
            path: "/api/v1/auth/sessions?keep_current=true",
            berth: ["sessions", "end"],
          }}
        >
          <p>Every other browser and program that signed in with your password has to sign in again.</p>
        </Confirm>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  { title: "Signed in with", cell: ({ program }) => program },
  { title: "From", cell: ({ address }) => address ?? "unknown" },
  { title: "Signed in", cell: ({ created_at }) => <When at={created_at} /> },
  { title: "Last used", cell: ({ last_used_at }) => <When at={last_used_at} /> },
  {
    title: "End",
    isActions: true,
    cell: ({ id, current, program }) =>
      current ? (
        <Status tone="good">this session</Status>
      ) : (
        <Button
          look="remove"
          icon="close"
          aria-label={`End the session of ${program}`}
          onPress={() =>
            act(
              "The session has ended",
              () => api.DELETE("/api/v1/auth/sessions/{id}", { params: { path: { id } } }),
              KEY,
            )
          }
        >
          End
        </Button>
      ),
  },
];
