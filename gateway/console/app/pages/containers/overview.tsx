import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatBytes, formatRelative, plural } from "../../lib/format.ts";
import { useNames, useRentals } from "../../lib/reads.ts";
import { serverOf } from "../../lib/servers.ts";
import { AuthorityNote } from "../../ui/authority-note.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Facts } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { ProjectLink } from "../projects/project-link.tsx";
import { AppliedFirewall } from "./applied-firewall.tsx";
import { openInTab } from "./enter.ts";
import { LoadNow } from "./load.tsx";
import { NewestImage } from "./newest-image.tsx";
import type { Container } from "./states.tsx";

/** What a container is, and where it is reached. */
export function Overview({ container }: { container: Container }) {
  const { image, error } = container;
  return (
    <>
      {error !== null && (
        <ErrorNote error={new Error(error.replace(/^./, (letter) => letter.toUpperCase()))}>
          {container.exit !== null && <Link to={`/containers/${container.id}/logs` as "."}>See its log</Link>}
        </ErrorNote>
      )}
      <div className="columns">
        <section className="panel stack" aria-labelledby="about">
          <h2 id="about">Details</h2>
          <Facts
            facts={[
              ["Server", <ServerLink key="server" container={container} />],
              ["Project", <ProjectLink key="project" id={container.project_id} />],
              ["Image", <NewestImage key="image" container={container} />],
              ...(image?.digest ? ([["Digest", <code key="digest">{image.digest}</code>]] as const) : []),
              ...(image && image.exposed_ports.length > 0
                ? ([["Listens on", image.exposed_ports.join(", ")]] as const)
                : []),
              ...(container.state === "running"
                ? ([["Load", <LoadNow key="load" container={container} />]] as const)
                : []),
              ...settingFacts(container),
              ["Created", <When key="created" at={container.created_at} />],
              ["Id", <Copyable key="id" text={container.id} label="the id" />],
            ]}
          />
        </section>
        <section className="panel stack" aria-labelledby="reach">
          <h2 id="reach">Where it is reached</h2>
          <Facts
            facts={[
              ["Public names", <NameLinks key="names" container={container} />],
              [
                "Inside",
                container.address === null ? (
                  "It gets an address when it starts"
                ) : (
                  <Copyable key="address" text={container.address} label="the address" />
                ),
              ],
              [
                "Terminal",
                <Link key="terminal" to={`/containers/${container.id}/terminal` as "."}>
                  Open it here
                </Link>,
              ],
              ...SERVICES.map(
                ([service, title]) =>
                  [title, <ServiceAddress key={service} container={container} service={service} />] as const,
              ),
              ["Firewall", <AppliedFirewall key="firewall" firewall={container.firewall} />],
            ]}
          />
          <AuthorityNote />
        </section>
      </div>
    </>
  );
}

const HEALTH_TONES = { starting: "busy", healthy: "good", unhealthy: "bad" } as const;

const Health = ({ health: { state } }: { health: NonNullable<Container["health"]> }) => (
  <Status tone={HEALTH_TONES[state]}>{state}</Status>
);

/** The short public addresses, to open at once. */
function NameLinks({ container: { id } }: { container: Container }) {
  const { data } = useNames(id);
  if (data === undefined) return "…";
  const enabled = data.aliases.filter(({ enabled }) => enabled);
  if (enabled.length === 0)
    return (
      <>
        None yet: <Link to={`/containers/${id}/names` as "."}>give it one</Link>
      </>
    );
  return (
    <ul>
      {enabled.map(({ id, url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noreferrer">
            {url.replace("https://", "")}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The user reaches a server by its rental, where that is the user's own. */
function ServerLink({ container }: { container: Container }) {
  const rental = useRentals().data?.find(
    (one) => one.server_id === container.server_id && one.status === "active",
  );
  return rental === undefined ? (
    serverOf(container)
  ) : (
    <Link to={`/servers/${rental.id}` as "."}>{rental.server_name}</Link>
  );
}

const SERVICES = [
  ["terminal", "Terminal's address"],
  ["pipe", "Pipe"],
  ["notifications", "Notifications"],
] as const;

interface ServiceAddressProps {
  readonly container: Container;
  readonly service: (typeof SERVICES)[number][0];
}

/** An address to copy, and to open: whoever opens it is let in first. */
const ServiceAddress = ({ container: { id, services }, service }: ServiceAddressProps) => (
  <span className="with-actions in-one-line">
    <Copyable text={services[service]} label={`the address of the ${service}`} />
    <IconButton
      icon="external"
      label={`Open the ${service} in a tab`}
      onPress={() => openInTab(id, service)}
    />
  </span>
);

/** What it was given, as far as it was given something. */
function settingFacts(container: Container): (readonly [string, ReactNode])[] {
  const { env, ports, labels, resources, restarts, exit, restart_policy, volumes, health } = container;
  const limits = [
    resources.cpu_cores === null ? "" : plural(resources.cpu_cores, "core"),
    resources.memory_bytes === null ? "" : `${formatBytes(resources.memory_bytes)} memory`,
    resources.disk_bytes === null ? "" : `${formatBytes(resources.disk_bytes)} disk`,
    resources.bandwidth_mbps ? `${resources.bandwidth_mbps} Mbit/s` : "",
  ].filter((text) => text !== "");
  const facts: [string, ReactNode][] = [
    ["Ports", ports.map(({ name, port, protocol }) => `${name}: ${port} (${protocol})`).join(", ")],
    ["Variables", env.map(({ name, value }) => `${name}=${value ?? "(secret)"}`).join(", ")],
    [
      "Labels",
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(", "),
    ],
    ["Volumes", volumes.map(({ path }) => path).join(", ")],
    ["Limits", limits.join(", ")],
    ["Health", health === null ? "" : <Health key="health" health={health} />],
    ["Restarts", restarts === 0 ? "" : `${restarts}, by the policy "${restart_policy.name}"`],
    ["Last end", exit === null ? "" : `${exit.reason}, ${formatRelative(exit.at)}`],
  ];
  return facts.filter(([, text]) => text !== "");
}
