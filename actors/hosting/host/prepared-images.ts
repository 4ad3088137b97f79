import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import {
  PREPARED_ERROR_LENGTH_MAX,
  PREPARED_IMAGES_MAX,
  PreparedImages,
} from "../../../schemas/hosting/host.ts";
import { REFERENCE_LENGTH_MAX } from "../../../schemas/hosting/image-reference.ts";
import { storableJsonOf } from "../../../schemas/received.ts";
import type { Reconciler } from "../../../system/reconciler.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { ActorsFor } from "../../senders.ts";
import { listPrespawnReferences } from "../image/queries.ts";
import { listPreparingHosts, type PreparingHost } from "./queries.ts";

/** Below the time after which an agent ends a pull that nobody asks for. */
const INTERVAL_MS = 15_000;
/** A reference, a reason, and less than 200 characters of digest and names of fields, for each image. */
const REPLY_LENGTH_MAX = PREPARED_IMAGES_MAX * (REFERENCE_LENGTH_MAX + PREPARED_ERROR_LENGTH_MAX + 200);

const readReply = storableJsonOf(PreparedImages, REPLY_LENGTH_MAX);

export interface PreparedImagesOptions {
  readonly db: Sql;
  readonly actors: ActorsFor<"reconciler">;
  readonly log: Logger;
  owns(kind: string, id: string): boolean;
  /** The reply of a host's agent to `PrepareImages`; rejects when there is none in time. */
  prepareImages(serverName: string, text: string): Promise<string>;
}

/** Tells each host which images of the catalogue it should keep ready, and records how far it is. */
export function preparedImagesReconciler(options: PreparedImagesOptions): Reconciler {
  const { db, log, owns, actors } = options;
  /** Hosts that replied that they keep nothing ready. While they should not, they need not be asked again. */
  const withoutImages = new Set<string>();
  const hasNone = ({ id, prepared_images }: PreparingHost) =>
    withoutImages.has(id) && prepared_images.length === 0;

  async function prepare(host: PreparingHost, text: string): Promise<void> {
    const reply = await options.prepareImages(host.name, text);
    const received = readReply(reply);
    if ("reason" in received) throw new Error(`its reply is ${received.reason}`);
    const { images } = received.value;
    if (images.length === 0) withoutImages.add(host.id);
    else withoutImages.delete(host.id);
    if (!isDeepStrictEqual(images, host.prepared_images))
      await actors.host(host.id).report_images({ images });
  }

  return {
    name: "prepared-images",
    intervalMs: INTERVAL_MS,
    async reconcile() {
      const references = await listPrespawnReferences(db, PREPARED_IMAGES_MAX);
      const text = JSON.stringify({ references });
      const hosts = (await listPreparingHosts(db)).filter(
        (host) => owns("host", host.id) && (references.length > 0 || !hasNone(host)),
      );
      await Promise.all(
        hosts.map((host) =>
          prepare(host, text).catch((error) =>
            log.debug({ err: error, host: host.name }, "a host did not say which images it keeps ready"),
          ),
        ),
      );
    },
  };
}
