import { type Placed, useServerNames } from "../../lib/servers.ts";

/** The server of a container or a storage share. */
export const ServerName = ({ of }: { of: Placed }) => useServerNames()(of);
