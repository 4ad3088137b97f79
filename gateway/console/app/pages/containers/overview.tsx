import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatBytes, formatRelative, plural } from "../../lib/format.ts";
import { useProjects } from "../../lib/reads.ts";
import { Copyable } from "../../ui/copy.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Facts } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { AppliedFirewall } from "./applied-firewall.tsx";
import { type Container, imageName } from "./states.tsx";

/** What a container is, and where it is reached. */
export function Overview({ container }: { container: Container }) {
  const { services, image, error } = container;
  const project = useProjects().data?.projects.find(({ id }) => id === container.project_id);
  return (
    <>
      {container.restart_required.length > 0 && (
        <p className="note warn">
          A change of {container.restart_required.join(", ")} takes effect when it is restarted.
        </p>
      )}
      {error !== null && <ErrorNote error={new Error(error)} />}
      <div className="columns">
        <section className="panel stack" aria-labelledby="about">
          <h2 id="about">About it</h2>
          <Facts
            facts={[
              ["Server", container.server_name],
              ["Project", project?.name ?? "…"],
              ["Image", imageName(container)],
              ...(image?.digest ? ([["Digest", <code key="digest">{image.digest}</code>]] as const) : []),
              ...(image && image.exposed_ports.length > 0
                ? ([["It listens on", image.exposed_ports.join(", ")]] as const)
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
                <Copyable key="terminal" text={services.terminal} label="the terminal's address" />,
              ],
              ["Pipe", <Copyable key="pipe" text={services.pipe} label="the pipe's address" />],
              [
                "Notifications",
                <Copyable key="n" text={services.notifications} label="the notifications' address" />,
              ],
              ["Firewall", <AppliedFirewall key="firewall" firewall={container.firewall} />],
            ]}
          />
          <p className="hint">
            A short public address:{" "}
            <Link to={`/containers/${container.id}/names` as "."}>give it a name</Link>.
          </p>
        </section>
      </div>
    </>
  );
}

/** What it was given, as far as it was given something. */
function settingFacts(container: Container): (readonly [string, ReactNode])[] {
  const { env, ports, labels, resources, restarts, exit, restart_policy, volumes } = container;
  const limits = [
    resources.cpu_cores === null ? "" : plural(resources.cpu_cores, "core"),
    resources.memory_bytes === null ? "" : `${formatBytes(resources.memory_bytes)} memory`,
    resources.disk_bytes === null ? "" : `${formatBytes(resources.disk_bytes)} disk`,
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
    ["Restarts", restarts === 0 ? "" : `${restarts}, by the policy "${restart_policy.name}"`],
    ["Last end", exit === null ? "" : `${exit.reason}, ${formatRelative(exit.at)}`],
  ];
  return facts.filter(([, text]) => text !== "");
}
