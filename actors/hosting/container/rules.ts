import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../schemas/errors.ts";
import type { EventType } from "../../../schemas/events.ts";
import type {
  AppliedResources,
  ContainerExit,
  ContainerImage,
  ContainerState,
} from "../../../schemas/hosting/container.ts";
import type { ContainerPermission } from "../../../schemas/hosting/container-permission.ts";
import type { ContainerStatus, DesiredContainer } from "../../../schemas/hosting/desired.ts";
import type { ContainerHealth } from "../../../schemas/hosting/health-check.ts";
import type { Volume } from "../../../schemas/hosting/volume.ts";
import { type SettingChanges, withChange } from "./setting-changes.ts";
import type { ContainerSettings } from "./settings.ts";

/** A container as its actor holds it. */
export interface ContainerRecord extends ContainerSettings {
  readonly userId: string;
  readonly projectId: string;
  readonly serverId: string;
  readonly serverName: string;
  readonly imageId: string | null;
  /** The reference of the image that its host pulls; null: the host's default root file system. */
  readonly imageReference: string | null;
  /** The state of that image, as its host reports it. */
  readonly image: ContainerImage | null;
  /** Counts the changes of its settings. */
  readonly settingsRevision: number;
  readonly settingChanges: SettingChanges;
  /** Users who may enter it without a role on its server. */
  readonly permissions: readonly ContainerPermission[];
  /** Storage shares that are mounted at its next start. */
  readonly volumes: readonly Volume[];
  readonly desiredState: DesiredContainer["state"];
  readonly desiredRevision: number;
  readonly generation: number;
  /** The revision of the pool's access that the host received last. */
  readonly accessRevision: number;
  /** The change of its server's specifications that the host received last. */
  readonly specsRevision: number;
  /** The revision of a restart whose end its host has not reported; null if none is in progress. */
  readonly restartingRevision: number | null;
  /** Counts the requests for the newest image of its reference. */
  readonly imageGeneration: number;
  /** The revision of such a request which its host has not finished; null if there is none. */
  readonly pullingRevision: number | null;
  readonly state: ContainerState;
  readonly driver: string | null;
  readonly address: string | null;
  readonly error: string | null;
  /** The desired revision that it was started with, as its host reports it. */
  readonly startedRevision: number | null;
  readonly exit: ContainerExit | null;
  /** As its host reports it; null: it does not run, or has no health check. */
  readonly health: ContainerHealth | null;
  readonly restarts: number;
  readonly appliedResources: AppliedResources | null;
  readonly createdAt: Date;
}

/**
 * Sets the desired state. Setting it to the same state changes nothing, except that a container which has ended by itself is started
 * again. @throws CONTAINER_NOT_FOUND while it is being deleted
 */
export function requestState(container: ContainerRecord, state: DesiredContainer["state"]): ContainerRecord {
  assertPresent(container);
  const hasEnded = state === "running" && ["stopped", "error"].includes(container.state);
  if (container.desiredState === state && !hasEnded) return container;
  return {
    ...container,
    desiredState: state,
    // A host that has not seen the stop in between learns from it that this is a start.
    generation: container.generation + (state === "running" ? 1 : 0),
    // So that asking again is nothing new.
    ...(container.desiredState === state ? { state: "creating" } : {}),
    desiredRevision: container.desiredRevision + 1,
    restartingRevision: null,
    error: null,
  };
}

/** Asks for a restart: a new generation of a running container. @throws CONTAINER_STATE_CONFLICT when it is stopped. */
export function restart(container: ContainerRecord): ContainerRecord {
  assertPresent(container);
  if (container.desiredState !== "running") {
    throw new DomainError(
      "CONTAINER_STATE_CONFLICT",
      "only a running container can be restarted; start it instead",
    );
  }
  const desiredRevision = container.desiredRevision + 1;
  return {
    ...container,
    generation: container.generation + 1,
    desiredRevision,
    restartingRevision: desiredRevision,
    // A failure of the new attempt is told of, as the one before was.
    ...(container.state === "error" ? { state: "creating" } : {}),
    error: null,
  };
}

/**
 * Asks its host to resolve the reference of its image again.
 *
 * @param present the reference that its entry of the catalogue has now; undefined: its own stays
 * @throws CONTAINER_STATE_CONFLICT where the image cannot change
 */
export function pullImage(container: ContainerRecord, present?: string): ContainerRecord {
  assertPresent(container);
  if (container.imageReference === null)
    throw new DomainError("CONTAINER_STATE_CONFLICT", "the container was made without an image");
  const imageReference = present ?? container.imageReference;
  if (imageReference === container.imageReference && imageReference.includes("@"))
    throw new DomainError(
      "CONTAINER_STATE_CONFLICT",
      "the container's image is named by its digest, which is always the same image",
    );
  const desiredRevision = container.desiredRevision + 1;
  return {
    ...container,
    imageReference,
    imageGeneration: container.imageGeneration + 1,
    image: container.image && { ...container.image, reference: imageReference, state: "waiting" },
    // A former failure says nothing of what comes now.
    ...(container.state === "error" ? { state: "creating" } : {}),
    desiredRevision,
    pullingRevision: desiredRevision,
    error: null,
  };
}

/** Sets its volumes. @returns the new record, and what was removed, changed or added, with its former path */
export function setVolumes(
  container: ContainerRecord,
  volumes: readonly Volume[],
): { container: ContainerRecord; removed: Volume[]; added: Volume[] } | undefined {
  assertPresent(container);
  const has = (list: readonly Volume[]) => {
    const keys = new Set(list.map((volume) => JSON.stringify(volume)));
    return (volume: Volume) => keys.has(JSON.stringify(volume));
  };
  const [before, after] = [has(container.volumes), has(volumes)];
  const removed = container.volumes.filter((volume) => !after(volume));
  const added = volumes.filter((volume) => !before(volume));
  if (removed.length === 0 && added.length === 0) return undefined;
  const revision = container.desiredRevision + 1;
  const change = { from: byPath(container.volumes), to: byPath(volumes), revision };
  return {
    container: {
      ...container,
      volumes,
      desiredRevision: revision,
      settingChanges: {
        ...container.settingChanges,
        volumes: withChange(container.settingChanges.volumes, change),
      },
    },
    removed,
    added,
  };
}

/** Their order says nothing. */
const byPath = (volumes: readonly Volume[]): Volume[] =>
  volumes.toSorted((a, b) => (a.path < b.path ? -1 : 1));

export function assertPresent(container: ContainerRecord): void {
  if (container.desiredState === "deleted")
    throw new DomainError("CONTAINER_NOT_FOUND", "Container not found");
}

/**
 * Applies a host's report: the new record and its events; undefined when the report changes nothing, or concerns a
 * desired state that has changed since. Reports are read repeatedly, so outdated ones are normal.
 */
export function report(
  container: ContainerRecord,
  status: ContainerStatus,
): { container: ContainerRecord | null; events: EventType[] } | undefined {
  if (status.revision < container.desiredRevision) return undefined;
  if (status.state === "deleted") {
    // Only a container whose deletion was requested is deleted: a host that lost it must create it again.
    return container.desiredState === "deleted"
      ? { container: null, events: ["container.deleted"] }
      : undefined;
  }
  const isRestarted = container.restartingRevision !== null && status.state === "running";
  const isPulled =
    container.pullingRevision !== null && status.image?.state === "ready" && status.state !== "creating";
  // The host tries again by itself: it is one failure until the container has run.
  const isRetried = container.state === "error" && status.state === "creating";
  const next: ContainerRecord = {
    ...container,
    restartingRevision: isRestarted ? null : container.restartingRevision,
    pullingRevision: isPulled ? null : container.pullingRevision,
    state: isRetried ? "error" : status.state,
    driver: status.driver,
    address: status.address,
    error: status.error ?? (isRetried && container.error !== HOST_SILENT ? container.error : null),
    image: status.image ?? container.image,
    // An older agent does not report these.
    startedRevision: status.started_revision ?? container.startedRevision,
    exit: status.exit === undefined ? container.exit : status.exit,
    health: status.health ?? null,
    restarts: status.restarts ?? container.restarts,
    appliedResources: status.resources ?? container.appliedResources,
  };
  if (isDeepStrictEqual(next, container)) return undefined;
  const stateEvent = next.state === container.state ? undefined : eventOf(next.state);
  // The spec has no event for a pull: a container whose image is being pulled counts as starting.
  const isPulling =
    container.pullingRevision === null &&
    next.image?.state === "pulling" &&
    [undefined, "waiting"].includes(container.image?.state);
  const events: (EventType | undefined)[] = [
    stateEvent ?? (isPulling ? "container.starting" : undefined),
    isRestarted ? "container.restarted" : undefined,
    isPulled ? pullEvent(container, next) : undefined,
    container.state === "error" && next.state === "running" ? "container.recovered" : undefined,
    healthEvent(container.health?.state, next.health?.state),
  ];
  return { container: next, events: [...new Set(events)].filter((event) => event !== undefined) };
}

/** A host pauses for half a minute at most before it starts a container again, and takes a run of a minute for a good one. */
const FAILURE_RUN_MS = 120_000;

/** Whether it has ended so soon after its former end that both are one run of failures. */
export function failsAgain({ exit: before }: ContainerRecord, { exit }: ContainerRecord): boolean {
  if (before === null || exit === null || before.at === exit.at) return false;
  return Date.parse(exit.at) - Date.parse(before.at) < FAILURE_RUN_MS;
}

/** The record's message while the host's agent does not respond. The state is then what the host last reported. */
const HOST_SILENT = "its host does not respond; the state is what it last reported";

/**
 * Marks the record of a container whose host is silent; undefined if it is marked already. The host's next report
 * removes the mark.
 */
export function markUnreachable(container: ContainerRecord): ContainerRecord | undefined {
  return container.error === HOST_SILENT ? undefined : { ...container, error: HOST_SILENT };
}

/**
 * The contract has no type of event for a newer image: one that runs counts as a restart, one that cannot be had as an error of the
 * container, and where there is none the container runs as before.
 */
function pullEvent(before: ContainerRecord, now: ContainerRecord): EventType {
  if (now.error !== null) return "container.error";
  if (now.state !== "running") return eventOf(now.state) ?? "container.stopped";
  return before.image?.digest === now.image?.digest ? "container.running" : "container.restarted";
}

/** The contract has no types of events for health: one that is unhealthy counts as failed, and a healthy one as running. */
function healthEvent(before: HealthState | undefined, now: HealthState | undefined): EventType | undefined {
  if (now === before) return undefined;
  if (now === "unhealthy") return "container.error";
  if (now !== "healthy") return undefined;
  return before === "unhealthy" ? "container.recovered" : "container.running";
}
type HealthState = ContainerHealth["state"];

const eventOf = (state: ContainerState): EventType | undefined =>
  state === "running" || state === "stopped" || state === "error" ? `container.${state}` : undefined;
