import type { Container } from "../../index.ts";
import { serverOf } from "../nouns.ts";
import { bytes, plural, time } from "../output/format.ts";

/** What a person wants to know of a container; what it does not have is left out. */
export const detailsOf = (one: Container): Readonly<Record<string, string>> => ({
  id: one.id,
  name: one.name,
  state: one.error === null ? one.state : `${one.state}: ${one.error}`,
  health: one.health === null ? "" : [one.health.state, one.health.message].filter(Boolean).join(": "),
  restarts: one.restarts === 0 ? "" : String(one.restarts),
  "restart applies": one.restart_required.join(", "),
  server: serverOf(one),
  project: one.project_id,
  image: one.image?.reference ?? "the programs of its server",
  command: [...one.command, ...one.args].join(" "),
  variables: one.env
    .map(({ name, value, secret }) => (secret ? `${name} (secret)` : `${name}=${value}`))
    .join(", "),
  labels: Object.entries(one.labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", "),
  ports: one.ports.map(({ name, port, protocol }) => `${name}:${port}/${protocol}`).join(", "),
  volumes: one.volumes
    .map(({ share_id, path, read_only }) => `${share_id} at ${path}${read_only ? ", read-only" : ""}`)
    .join(", "),
  limits: limitsOf(one.resources.applied ?? one.resources),
  restart: one.restart_policy.name,
  address: one.address ?? "",
  firewall: one.firewall.error ?? (one.firewall.applied ? "applied" : "not applied yet"),
  terminal: one.services.terminal,
  created: time(one.created_at),
});

type Limits = Pick<Container["resources"], "cpu_cores" | "memory_bytes" | "disk_bytes" | "bandwidth_mbps">;

function limitsOf({ cpu_cores, memory_bytes, disk_bytes, bandwidth_mbps }: Limits): string {
  const limits = [
    cpu_cores === null ? "" : plural(cpu_cores, "core"),
    memory_bytes === null ? "" : `${bytes(memory_bytes)} of memory`,
    disk_bytes === null ? "" : `${bytes(disk_bytes)} of disk`,
    bandwidth_mbps ? `${bandwidth_mbps} Mbit/s` : "",
  ];
  return limits.filter(Boolean).join(", ");
}
