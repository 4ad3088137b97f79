import type { Schemas } from "../../lib/api.ts";
import { formatBytes } from "../../lib/format.ts";
import { Status } from "../../ui/status.tsx";

export type Share = Schemas["StorageShare"];

/** How a share is. */
export function ShareStatus({ share }: { share: Pick<Share, "state" | "error" | "restoring_snapshot_id"> }) {
  if (share.restoring_snapshot_id !== null) return <Status tone="busy">a snapshot is being restored</Status>;
  if (share.state === "ready" && share.error !== null)
    return <Status tone="warn">{`ready, but ${share.error}`}</Status>;
  return (
    <Status tone={({ creating: "busy", ready: "good", error: "bad", deleted: "idle" } as const)[share.state]}>
      {share.state}
    </Status>
  );
}

/** How much of it is taken, in words and as a bar. */
export function ShareUse({ share: { used_bytes, size_bytes, name } }: { share: Share }) {
  if (used_bytes === null) return <span className="hint">{formatBytes(size_bytes)}</span>;
  return (
    <span className="use">
      {formatBytes(used_bytes)} of {formatBytes(size_bytes)}
      <meter
        min={0}
        max={size_bytes}
        value={used_bytes}
        high={size_bytes * 0.9}
        aria-label={`${name}: space in use`}
      />
    </span>
  );
}
