import type { ContainerImage } from "../../schemas/hosting/container.ts";
import { ContainerError, NotReady } from "../containers/driver.ts";
import { healthCheckOf } from "../containers/images/health-check.ts";
import type { Images } from "../containers/images/images.ts";
import { exposedPortsOf, labelsOf, stopSignalOf } from "../containers/images/launch.ts";
import { programsOf } from "../containers/images/programs.ts";
import type { StoredImage } from "../containers/images/store.ts";
import type { Context } from "./context.ts";
import type { ContainerRecord } from "./store.ts";

/** A pull is reported in this many steps, since each report is a commit of the control plane. */
const PROGRESS_PARTS = 20;

/** The image of one container: its digest, which stays the same until a newer one is asked for, and the progress of its pull. */
export class ContainerImages {
  #hasFailed = false;
  /** The request for the newest image that is being served. */
  #refresh: { readonly generation: number; readonly sinceMs: number } | null = null;

  constructor(
    private readonly images: Images | null,
    private readonly credentials: NonNullable<Context["registryCredentials"]> = async () => null,
  ) {}

  /**
   * The image of the container; null: the host's default root file system.
   *
   * @param wake called when a retry may succeed
   * @throws NotReady while it is being pulled; ContainerError when it cannot be pulled
   */
  async ensure({ id, desired, image }: ContainerRecord, wake: () => void): Promise<StoredImage | null> {
    const { image: reference } = desired;
    if (reference === undefined) return null;
    if (this.images === null)
      throw new ContainerError("its host isolates no containers (driver process), and so runs no images");
    try {
      const present = image === undefined ? null : await this.images.read(image.digest);
      const found =
        present ??
        (await this.images.ensure(image === undefined ? reference : pinned(reference, image.digest), wake, {
          project: desired.project_id,
          credentials: (registry) => this.credentials(id, registry),
        }));
      this.#hasFailed = false;
      return found;
    } catch (error) {
      this.#hasFailed = !(error instanceof NotReady);
      throw error;
    }
  }

  /**
   * The image that its reference means now, whatever it meant before.
   *
   * @param wake called when a retry may succeed
   * @throws NotReady while it is being pulled; PullError when it cannot be had
   */
  async newest({ id, desired }: ContainerRecord, wake: () => void): Promise<StoredImage> {
    const { image: reference = "", image_generation: generation = 0, project_id: project } = desired;
    if (this.images === null) throw new ContainerError("its host runs no images");
    // What a registry said before the request does not count, since the tag may have moved since then.
    if (this.#refresh?.generation !== generation) this.#refresh = { generation, sinceMs: performance.now() };
    const credentials = (registry: string) => this.credentials(id, registry);
    return this.images.ensure(reference, wake, { project, credentials }, this.#refresh.sinceMs);
  }

  /** The image's state for the container's reports; empty without an image. */
  status(record: ContainerRecord | null): { image?: ContainerImage } {
    const reference = record?.desired.image;
    if (!record || reference === undefined) return {};
    const { image } = record;
    const isRefreshing = isNewestWanted(record);
    const progress = this.images?.progress(
      image === undefined || isRefreshing ? reference : pinned(reference, image.digest),
      record.desired.project_id,
    );
    const isThere = image !== undefined && !isRefreshing && !progress && !this.#hasFailed;
    const { done, total } = progress ?? { done: 0, total: image?.bytes ?? 0 };
    const part = Math.max(1, Math.ceil(total / PROGRESS_PARTS));
    return {
      image: {
        reference,
        digest: image?.digest ?? null,
        state: isThere ? "ready" : this.#hasFailed ? "error" : progress ? "pulling" : "waiting",
        pulled_bytes: isThere ? total : Math.min(total, Math.floor(done / part) * part),
        total_bytes: total,
        exposed_ports: image?.exposed_ports ?? [],
        labels: image?.labels ?? {},
        ...(image?.programs && { programs: image.programs.declared.map(({ name }) => name) }),
      },
    };
  }
}

/** Whether a newer image than the one that it has was asked for, and has not been looked for. */
export const isNewestWanted = ({ desired, image, image_generation = 0 }: ContainerRecord): boolean =>
  image !== undefined && (desired.image_generation ?? 0) > image_generation;

/** The part of an image that is stored in the container's record. */
export const resolved = ({ digest, bytes, config }: StoredImage): NonNullable<ContainerRecord["image"]> => ({
  digest,
  bytes,
  stop_signal: stopSignalOf(config),
  health_check: healthCheckOf(config),
  exposed_ports: exposedPortsOf(config),
  labels: labelsOf(config),
  programs: programsOf(config),
});

/** The reference with the digest, to pull the same image again if it is no longer on this host. */
const pinned = (reference: string, digest: string): string => `${reference.replace(/@.*$/, "")}@${digest}`;
