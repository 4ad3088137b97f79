import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useContainer } from "../../lib/reads.ts";
import { Loaded, PageHead, Skeleton, Tabs } from "../../ui/page.tsx";
import { Lifecycle } from "./lifecycle.tsx";
import { Overview } from "./overview.tsx";
import { type Container, ContainerStatus } from "./states.tsx";

/** What a container's page shows below its head. Each is fetched when it is opened. */
const TABS = {
  "": { title: "Overview", show: Overview },
  logs: { title: "Logs", show: lazy(() => import("./logs.tsx")) },
  terminal: { title: "Terminal", show: lazy(() => import("./terminal.tsx")) },
  files: { title: "Files", show: lazy(() => import("./files.tsx")) },
  metrics: { title: "Metrics", show: lazy(() => import("./metrics.tsx")) },
  volumes: { title: "Volumes", show: lazy(() => import("./volumes.tsx")) },
  firewall: { title: "Firewall", show: lazy(() => import("./firewall.tsx")) },
  names: { title: "Names", show: lazy(() => import("./names.tsx")) },
  events: { title: "Events", show: lazy(() => import("./events.tsx")) },
  people: { title: "People", show: lazy(() => import("./people.tsx")) },
  settings: { title: "Settings", show: lazy(() => import("./settings.tsx")) },
} as const;

export default function ContainerPage() {
  const { id = "", tab = "" } = useParams({ strict: false }) as { id?: string; tab?: string };
  const query = useContainer(id);
  return (
    <Loaded query={query} rows={6}>
      {(container) => (
        <OneContainer container={container} tab={tab in TABS ? (tab as keyof typeof TABS) : ""} />
      )}
    </Loaded>
  );
}

function OneContainer({ container, tab }: { container: Container; tab: keyof typeof TABS }) {
  const { title, show: Show } = TABS[tab];
  const path = `/containers/${container.id}`;
  return (
    <>
      <PageHead
        title={tab === "" ? container.name : `${container.name}: ${title.toLowerCase()}`}
        under={{ title: "Containers", to: "/containers" }}
        status={<ContainerStatus container={container} />}
      >
        <Lifecycle container={container} />
      </PageHead>
      <Tabs
        label={`Of the container ${container.name}`}
        tabs={Object.entries(TABS).map(([name, { title }]) => ({
          title,
          to: name === "" ? path : `${path}/${name}`,
        }))}
      />
      <Suspense fallback={<Skeleton rows={6} />}>
        <Show key={container.id} container={container} />
      </Suspense>
    </>
  );
}
