/** Older servers lack features that Berth needs (limits of streams, `sync_interval`) and no longer get fixes. */
const MINIMUM = [2, 12] as const;

/**
 * The reason why a nats-server of this version is refused, for an error message; undefined when it is new enough.
 *
 * @param version such as `2.12.8`
 */
export function natsVersionObstacle(version: string): string | undefined {
  const [major, minor] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major === undefined || minor === undefined || Number.isNaN(major) || Number.isNaN(minor)) {
    return `nats-server reports a version that is not a version number (${JSON.stringify(version)})`;
  }
  const isOld = major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1]);
  return isOld ? `nats-server ${version} is too old: Berth needs ${MINIMUM.join(".")} or newer` : undefined;
}
