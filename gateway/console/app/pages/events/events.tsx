import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { Button } from "../../ui/button.tsx";
import { EventList } from "../../ui/event-list.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, PageHead } from "../../ui/page.tsx";
import { EventFilters, FILTERS, type Filters } from "./filters.tsx";
import { usePause } from "./pause.ts";

const PAGE = "50";

/** What happened, as it happens. A reader who looks at one thing pauses the list. */
export default function EventsPage() {
  const [filters, change] = useFilters(FILTERS);
  const { isPaused, missed, pause, resume } = usePause();
  const query = useList(["events", "all", filters], (cursor) => readEvents(filters, cursor), {
    isEnabled: !isPaused,
  });
  return (
    <>
      <PageHead title="Events">
        {isPaused ? (
          <Button look="primary" onPress={resume}>
            {missed === 0 ? "Continue" : `Continue (${formatNumber(missed)} new)`}
          </Button>
        ) : (
          <Button onPress={pause}>Pause</Button>
        )}
      </PageHead>
      <EventFilters filters={filters} onChange={change} />
      <p className="hint bar" role="status">
        {isPaused ? "Paused. New events are kept for you." : "New events appear by themselves."}
      </p>
      <LoadedList query={query} rows={10} empty={<NoEvents isFiltered={Object.keys(filters).length > 0} />}>
        {(events) => (
          <div className="panel">
            <EventList events={events} hasDetails />
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
