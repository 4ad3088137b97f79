import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useArrivals } from "../../lib/arrivals.ts";
import { plural } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { EventList } from "../../ui/event-list.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, PageHead } from "../../ui/page.tsx";
import { EventFilters, FILTERS, type Filters } from "./filters.tsx";

const PAGE = "50";

/** What happened. What happens meanwhile waits behind a button, so that nothing moves under the pointer. */
export default function EventsPage() {
  const [filters, change] = useFilters(FILTERS);
  const query = useList(["events", "all", filters], (cursor) => readEvents(filters, cursor));
  const { arrived, isShown, showAll } = useArrivals(query.data?.pages[0]?.items, JSON.stringify(filters));
  return (
    <>
      <PageHead title="Events" />
      <EventFilters filters={filters} onChange={change} />
      <p className="hint bar arrivals" role="status">
        {arrived > 0 ? (
          <Button onPress={showAll}>Show {plural(arrived, "new event")}</Button>
        ) : (
          "New events are announced here."
        )}
      </p>
      <LoadedList query={query} rows={10} empty={<NoEvents isFiltered={Object.keys(filters).length > 0} />}>
        {(events) => (
          <div className="panel">
            <EventList events={events.filter(isShown)} hasDetails />
          </div>
        )}
      </LoadedList>
    </>
  );
}

async function readEvents({ since, until, ...filters }: Filters, cursor: string | undefined) {
  const query = {
    ...filters,
    ...(since === undefined ? {} : { start_date: startOf(since) }),
    ...(until === undefined ? {} : { end_date: startOf(until, 1) }),
    ...from(cursor),
    limit: PAGE,
  } as { event_type?: Schemas["EventType"]; limit: string };
  const { events, pagination } = await dataOf(api.GET("/api/v1/events", { params: { query } }));
  return { items: events, next: pagination.next_cursor };
}

/** The reader's midnight at which a day begins, or one some days later. */
function startOf(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

const NoEvents = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon="event" title={isFiltered ? "No such events" : "No events yet"}>
    {isFiltered
      ? "Nothing that matches has happened. Choose less, or other days."
      : "Whatever you do here, and whatever happens to it, shows up in this list."}
  </Empty>
);
