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

/** The image of one container: its digest, which stays the same, and the progress of its pull. */
export class ContainerImages {
  #hasFailed = false;

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

  /** The image's state for the container's reports; empty without an image. */
  status(record: ContainerRecord | null): { image?: ContainerImage } {
    const reference = record?.desired.image;
    if (!record || reference === undefined) return {};
    const { image } = record;
    const progress = this.images?.progress(
      image === undefined ? reference : pinned(reference, image.digest),
      record.desired.project_id,
    );
    const isThere = image !== undefined && !progress && !this.#hasFailed;
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
