import type { ContainerImage } from "../../schemas/hosting/container.ts";
import { ContainerError, NotReady } from "../containers/driver.ts";
import type { Images } from "../containers/images/images.ts";
import { exposedPortsOf, labelsOf, stopSignalOf } from "../containers/images/launch.ts";
import { programsOf } from "../containers/images/programs.ts";
import type { StoredImage } from "../containers/images/store.ts";
import type { ContainerRecord } from "./store.ts";

/** A report for each part of so many: each is a commit of the control plane. */
const PROGRESS_PARTS = 20;

/** The image of one container: which one it is, for good, and how far it is on its way. */
export class ContainerImages {
  #hasFailed = false;

  constructor(private readonly images: Images | null) {}

  /**
   * The image that the container is made of; null: none but what its host makes containers of.
   *
   * @param wake called when it is worth to ask again
   * @throws NotReady while it is pulled; ContainerError when it cannot be had
   */
  async ensure({ desired, image }: ContainerRecord, wake: () => void): Promise<StoredImage | null> {
    const { image: reference } = desired;
    if (reference === undefined) return null;
    if (this.images === null)
      throw new ContainerError("its host isolates no containers (driver process), and so runs no images");
    try {
      const present = image === undefined ? null : await this.images.read(image.digest);
      const found =
        present ??
        (await this.images.ensure(image === undefined ? reference : pinned(reference, image.digest), wake));
      this.#hasFailed = false;
      return found;
    } catch (error) {
      this.#hasFailed = !(error instanceof NotReady);
      throw error;
    }
  }

  /** For the container's reports; nothing for one without an image. */
  status(record: ContainerRecord | null): { image?: ContainerImage } {
    const reference = record?.desired.image;
    if (!record || reference === undefined) return {};
    const { image } = record;
    const progress = this.images?.progress(image === undefined ? reference : pinned(reference, image.digest));
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

/** What is kept of an image with the container. */
export const resolved = ({ digest, bytes, config }: StoredImage): NonNullable<ContainerRecord["image"]> => ({
  digest,
  bytes,
  stop_signal: stopSignalOf(config),
  exposed_ports: exposedPortsOf(config),
  labels: labelsOf(config),
  programs: programsOf(config),
});

/** The reference of what the tag meant: the same image again, should it have gone from this host. */
const pinned = (reference: string, digest: string): string => `${reference.replace(/@.*$/, "")}@${digest}`;
