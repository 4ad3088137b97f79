import { useEvents } from "../../lib/reads.ts";
import { EventList } from "../../ui/event-list.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import type { Container } from "./states.tsx";

/** What happened to the container, the newest first; what happens now comes by itself. */
export default function Events({ container: { id } }: { container: Container }) {
  const query = useEvents({ container_id: id });
  return (
    <Loaded query={query} rows={8}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty icon="event" title="Nothing has happened yet" />
        ) : (
          <div className="panel">
            <EventList events={events} />
          </div>
        )
      }
    </Loaded>
  );
}
