/** Older servers lack what Berth relies on, limits of streams and `sync_interval` among it, and get no fixes any more. */
const MINIMUM = [2, 12] as const;

/**
 * Why a nats-server of this version is not used, for an error's text; undefined when it is new enough.
 *
 * @param version such as `2.12.8`
 */
export function natsVersionObstacle(version: string): string | undefined {
  const [major, minor] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major === undefined || minor === undefined || Number.isNaN(major) || Number.isNaN(minor)) {
    return `nats-server gives no version that can be read (${JSON.stringify(version)})`;
  }
  const isOld = major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1]);
  return isOld ? `nats-server ${version} is too old: Berth needs ${MINIMUM.join(".")} or newer` : undefined;
}
