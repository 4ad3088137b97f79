import type { ShareKind } from "./share-files.ts";

/** A storage share that a container mounts at its start. */
export interface ShareMount {
  /** Where in the container. */
  readonly path: string;
  readonly isReadOnly: boolean;
  readonly kind: ShareKind;
  /** The share's folder on the host. */
  readonly folder: string;
}
