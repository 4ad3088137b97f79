import { act, refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useArrivals } from "../../lib/arrivals.ts";
import { plural } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { useUnread } from "../../lib/reads.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CheckField } from "../../ui/field.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, PageHead } from "../../ui/page.tsx";
import { Status, type Tone, When } from "../../ui/status.tsx";

type Entry = Schemas["InboxEntry"];
const TONES: Record<Entry["level"], Tone> = { info: "idle", success: "good", warning: "warn", error: "bad" };

/** What operators and the system have written, to this user and to everybody. */
export default function InboxPage() {
  const [{ unread_only = "" }, change] = useFilters(["unread_only"]);
  const unread = useUnread().data?.unread_count ?? 0;
  const query = useList(["inbox", "list", unread_only], async (cursor) => {
    const filter = unread_only === "true" ? { unread_only: "true" as const } : {};
    const { notifications, pagination } = await dataOf(
      api.GET("/api/v1/notifications", { params: { query: { ...filter, ...from(cursor) } } }),
    );
    return { items: notifications, next: pagination.next_cursor };
  });
  const { arrived, isShown, showAll } = useArrivals(query.data?.pages[0]?.items, unread_only);
  return (
    <>
      <PageHead title="Inbox">
        <Button isDisabled={unread === 0} onPress={() => readAll()}>
          Mark all as read
        </Button>
      </PageHead>
      <div className="bar">
        <CheckField
          label="Only unread"
          checked={unread_only === "true"}
          onChange={({ target }) => change({ unread_only: target.checked ? "true" : "" })}
        />
        <span role="status">
          {arrived > 0 && <Button onPress={showAll}>Show {plural(arrived, "new message")}</Button>}
        </span>
      </div>
      <LoadedList query={query} empty={<Nothing isFiltered={unread_only === "true"} />}>
        {(entries) => (
          <ul className="inbox">
            {entries.filter(isShown).map((entry) => (
              <Message key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </LoadedList>
    </>
  );
}

const Message = ({ entry }: { entry: Entry }) => {
  const { id, title, body, level, read, created_at, page } = entry;
  return (
    <li className="card" data-unread={!read || undefined}>
      <header>
        <h2 dir="auto">{title}</h2>
        <Status tone={TONES[level]}>{level}</Status>
        {!read && <span className="badge">unread</span>}
        <When at={created_at} />
      </header>
      <p dir="auto">{body}</p>
      <div className="page-actions">
        {!read && (
          <Button
            look="quiet"
            icon="check"
            aria-label={`Mark as read: ${title}`}
            onPress={() => markRead(id)}
          >
            Mark as read
          </Button>
        )}
        {page !== null && (
          <ButtonLink look="quiet" icon="arrow" to={page} onFollow={() => read || seen(id)}>
            See it
          </ButtonLink>
        )}
        <Button look="remove" aria-label={`Delete: ${title}`} onPress={() => remove(id)}>
          Delete
        </Button>
      </div>
    </li>
  );
};

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon="inbox" title={isFiltered ? "Nothing is unread" : "Nothing yet"}>
    {isFiltered
      ? "You have seen it all."
      : "Messages of your operator arrive here: maintenance, changes, and what needs you."}
  </Empty>
);

const markRead = (id: string) =>
  act("Marked as read", () => api.PUT("/api/v1/notifications/{id}/read", { params: { path: { id } } }), [
    "inbox",
  ]);

/** Whoever goes to what a message tells of has read it. */
const seen = (id: string) =>
  api
    .PUT("/api/v1/notifications/{id}/read", { params: { path: { id } } })
    .then(() => refresh(["inbox"]))
    .catch(() => {});

const remove = (id: string) =>
  act("Deleted", () => api.DELETE("/api/v1/notifications/{id}", { params: { path: { id } } }), ["inbox"]);

const readAll = () => act("All are read", () => api.PUT("/api/v1/notifications/read-all"), ["inbox"]);
