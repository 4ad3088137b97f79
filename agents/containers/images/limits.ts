/** Bounds of pulling and keeping images. Sizes on disk are in the operator's hands: an image may take what a container may (`Limits`). */

/** What registries themselves accept. */
export const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;
/** History and labels are its longest part. */
export const CONFIG_BYTES_MAX = 4 * 1024 * 1024;
/** Docker's own bound; overlayfs takes 500. */
export const LAYERS_MAX = 127;
/** A manifest list that leads to a manifest list: nobody needs more. */
export const INDEX_DEPTH_MAX = 3;

/** Images that are pulled at a time; the others wait. */
export const PULLS_MAX = 3;
/** Layers that are fetched at a time, of all images: more do not make a line faster. */
export const DOWNLOADS_MAX = 4;
/** Each unpacking takes a core and half. */
export const UNPACKINGS_MAX = 2;

/** One pull with all its retries: a registry that sends a byte a minute holds up nobody for longer. */
export const PULL_MS_MAX = 60 * 60_000;
/** Containers that wait for an image ask for it every second: a pull that nobody asked for in this time is given up. */
export const UNWANTED_MS_MAX = 60_000;
/** The answer's header has come by then, also from a registry that fetches it from elsewhere first. */
export const HEADER_MS_MAX = 30_000;
/** A transfer without a byte for so long is broken; the next request goes on where it ended. */
export const STALL_MS_MAX = 30_000;
export const TRIES_MAX = 6;
/** A registry that says "later than that" is told to the owner instead of waited for. */
export const RETRY_AFTER_MS_MAX = 60_000;
/** To the place where a blob is, and perhaps once more. */
export const REDIRECTS_MAX = 5;
/** A layer of 10 GiB on a slow disk. */
export const UNPACK_MS_MAX = 30 * 60_000;

/** After a failure the registry is asked again no sooner, whatever the number of containers that wait. */
export const RETRY_FIRST_MS = 2_000;
export const RETRY_MAX_MS = 5 * 60_000;

/** An image that no container uses stays for so long: often the next one is made of it. */
export const UNUSED_MS_MAX = 60 * 60_000;
/** Half of a blob that nobody has gone on with. */
export const PARTIAL_MS_MAX = 24 * 60 * 60_000;
