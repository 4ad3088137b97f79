import { useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useContainer } from "../../lib/reads.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Loaded, PageHead, RoleNote, Skeleton, Tabs } from "../../ui/page.tsx";
import { Lifecycle } from "./lifecycle.tsx";
import { Overview } from "./overview.tsx";
import { RestartRequired } from "./restart-required.tsx";
import { type Container, ContainerStatus } from "./states.tsx";

const tab = (name: keyof typeof import("./tabs.ts")) =>
  lazy(async () => ({ default: (await import("./tabs.ts"))[name] }));

/** What a container's page shows below its head. All but the first are fetched when one of them is opened. */
const TABS = {
  "": { title: "Overview", show: Overview },
  logs: { title: "Logs", show: tab("Logs") },
  terminal: { title: "Terminal", show: tab("Terminal") },
  files: { title: "Files", show: tab("Files") },
  metrics: { title: "Metrics", show: tab("Metrics") },
  volumes: { title: "Volumes", show: tab("Volumes") },
  firewall: { title: "Firewall", show: tab("Firewall") },
  names: { title: "Names", show: tab("Names") },
  events: { title: "Events", show: tab("Events") },
  people: { title: "People", show: tab("People") },
  settings: { title: "Settings", show: tab("Settings") },
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
      <RestartRequired container={container} />
      <RoleNote pool={useReadOnlyPool(container.server_id)} />
      <Suspense fallback={<Skeleton rows={6} />}>
        <Show key={container.id} container={container} />
      </Suspense>
    </>
  );
}
