import { type Static, Type } from "@sinclair/typebox";
import { ContainerExit } from "../../schemas/hosting/container.ts";
import { DesiredContainer, DesiredFirewall } from "../../schemas/hosting/desired.ts";
import { ContainerHealth } from "../../schemas/hosting/health-check.ts";
import { DIGEST } from "../../schemas/hosting/image-reference.ts";
import { Id, Nullable } from "../../schemas/primitives.ts";
import { ProcessIdentitySchema } from "../../system/process-identity-schema.ts";
import { ImageHealthCheck } from "../containers/images/health-check.ts";
import { ImagePrograms } from "../containers/images/programs.ts";
import { RecordStore } from "./record-store.ts";

/** The image of a container, with the data that is needed without the image itself. */
const ResolvedImage = Type.Object({
  digest: Type.String({ pattern: DIGEST.source }),
  bytes: Type.Integer(),
  stop_signal: Nullable(Type.Integer()),
  exposed_ports: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  /** Absent in records from before health checks were run. */
  health_check: Type.Optional(Nullable(ImageHealthCheck)),
  /** Absent in records from before images could declare programs. */
  programs: Type.Optional(ImagePrograms),
});

/** The stored record of a container: enough to start it after a reboot without a control plane. */
export const ContainerRecord = Type.Object({
  id: Id,
  /** Its last desired state. */
  desired: DesiredContainer,
  address: Type.String(),
  /** The generation for which init was started. */
  generation: Type.Integer(),
  /** Null: not started, or stopped by request. */
  init: Nullable(ProcessIdentitySchema),
  /** Whose control group its run is in: a project or a part of the host. Absent in older records: its project. */
  tenant: Type.Optional(Id),
  /** The storage shares that it was started with. */
  shares: Type.Optional(Type.Array(Id)),
  /** The desired revision with which it was started last. */
  started_revision: Type.Optional(Type.Integer()),
  /** How its last run ended. */
  exit: Type.Optional(ContainerExit),
  /** Of its run; null: it has no health check. */
  health: Type.Optional(Nullable(ContainerHealth)),
  /** The generation that has ended and is not started again, by its restart policy. */
  finished: Type.Optional(Type.Integer()),
  /** How often it was started again in its generation, and how often in a row. */
  restarts: Type.Optional(Type.Integer()),
  retries: Type.Optional(Type.Integer()),
  /** The image to which its reference was resolved. It stays the same even if the tag moves, until a newer one is asked for. */
  image: Type.Optional(ResolvedImage),
  /** The `image_generation` for which its reference was resolved last; absent: 0. */
  image_generation: Type.Optional(Type.Integer()),
  /** Whether its run is being ended for a newer image. Absent: no. */
  replacing: Type.Optional(Type.Boolean()),
  /** Why the newer image that was asked for last could not be had; null: it could. */
  image_error: Type.Optional(Nullable(Type.String())),
  /** The applied rules; null before the first. The expected kernel table follows from them. */
  firewall: Nullable(Type.Object({ desired: DesiredFirewall })),
});
export type ContainerRecord = Static<typeof ContainerRecord>;

export type StateStore = RecordStore<ContainerRecord>;

/** The records of containers. */
export const stateStore = (data: string): StateStore =>
  new RecordStore(data, "containers", ContainerRecord, "container");
