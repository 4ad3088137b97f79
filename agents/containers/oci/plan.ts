import type { ShareMount } from "../volumes/share-mount.ts";
import type { OciConfig } from "./config.ts";

/** What the program that makes a container's root is told by the agent, in a file that only root reads. */
export interface Plan {
  /** The container's folder. */
  readonly folder: string;
  readonly firstId: number;
  /** Whether the container joins the user namespace that is made for its files. */
  readonly joinsUserNamespace: boolean;
  /** The layers that its own files lie over, top first; none: its own files are all. */
  readonly layers: readonly string[];
  /** Folders of the host that it sees. */
  readonly hostFolders: readonly string[];
  /** Programs and files of the host below `/.berth`, by their name there. */
  readonly helpers: Readonly<Record<string, string>>;
  /** As the image has it. */
  readonly user: string;
  /** Folders that are made where they are missing. */
  readonly volumes: readonly string[];
  /** Storage shares, in the order of `shareFolder`. */
  readonly shares: readonly ShareMount[];
  /** `config.json`, as far as it is known without the root. */
  readonly config: OciConfig;
}

/** Before the reason, where another attempt would end in the same way. */
export const UNSTARTABLE = "it cannot be started: ";
