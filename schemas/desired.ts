import { type Static, Type } from "@sinclair/typebox";
import { ContainerName } from "./container.ts";
import { FirewallRule } from "./firewall.ts";
import { Id, Nullable, Timestamp } from "./primitives.ts";

/**
 * What passes between the control plane and a host's agent, as JSON values of two KV buckets. The control plane
 * writes `desired_<server>`; the agent converges on it and writes `status_<server>` under the same keys. Revisions
 * only grow: an agent never goes back to a lower one.
 */

export const DesiredContainer = Type.Object({
  revision: Type.Integer(),
  /** The host that this is for: an agent takes nothing that was meant for another. */
  server_name: Type.String(),
  id: Id,
  project_id: Id,
  name: ContainerName,
  state: Type.Union([Type.Literal("running"), Type.Literal("stopped"), Type.Literal("deleted")]),
  /** Raised by each restart that the user asks for: a change of it restarts a running container. */
  generation: Type.Integer(),
  /** What the container's init runs, as argv; empty: only the init itself. */
  command: Type.Array(Type.String()),
});
export type DesiredContainer = Static<typeof DesiredContainer>;

export const ContainerStatus = Type.Object({
  revision: Type.Integer({ description: "revision of the desired state that this reports on" }),
  state: Type.Union([
    Type.Literal("creating"),
    Type.Literal("running"),
    Type.Literal("stopped"),
    Type.Literal("error"),
    Type.Literal("deleted"),
  ]),
  driver: Type.Union([Type.Literal("namespaces"), Type.Literal("process")]),
  address: Nullable(Type.String({ description: "IPv4 address of the container as its host sees it" })),
  error: Nullable(Type.String()),
  reported_at: Timestamp,
});
export type ContainerStatus = Static<typeof ContainerStatus>;

export const DesiredFirewall = Type.Object({
  revision: Type.Integer(),
  server_name: Type.String(),
  container_id: Id,
  /** False: the container has no firewall and is open; the agent removes its table. */
  attached: Type.Boolean(),
  /** Rules in normal form, of both directions and states; disabled ones are not enforced. */
  rules: Type.Array(FirewallRule),
});
export type DesiredFirewall = Static<typeof DesiredFirewall>;

export const FirewallStatus = Type.Object({
  revision: Type.Integer({ description: "the revision now in force" }),
  enforced: Type.Boolean({ description: "false where this host cannot filter packets" }),
  /** Why a later revision could not be applied; the one in `revision` stays in force. */
  error: Nullable(Type.String()),
  reported_at: Timestamp,
});
export type FirewallStatus = Static<typeof FirewallStatus>;
