import { Fragment } from "react";
import type { Schemas } from "../../lib/api.ts";
import { formatBytes } from "../../lib/format.ts";
import { Status, type Tone } from "../../ui/status.tsx";

export type Container = Schemas["Container"];

export const TONES: Record<Container["state"], Tone> = {
  creating: "busy",
  running: "good",
  stopped: "idle",
  error: "bad",
  deleted: "idle",
};

/** What a container is at; while its image is on the way, how far that is. */
export function ContainerStatus({ container: { state, image, health } }: { container: Container }) {
  if (state === "creating" && image?.state === "pulling")
    return (
      <Status tone="busy">
        {`pulling ${formatBytes(image.pulled_bytes)}${image.total_bytes > 0 ? ` of ${formatBytes(image.total_bytes)}` : ""}`}
      </Status>
    );
  if (state === "running" && health?.state === "unhealthy") return <Status tone="warn">unhealthy</Status>;
  return <Status tone={TONES[state]}>{state}</Status>;
}

/** An image as people call it: without the registry of all and without the digest. */
export const imageName = ({ image }: Pick<Container, "image">): string =>
  shortReference(image?.reference ?? null);

/** The name of an image, which goes on in the next line after a slash or a colon. */
export const ImageName = ({ name }: { name: string }) => (
  <span className="reference">
    {name.split(/(?<=[/:])/).map((part, index) => (
      <Fragment key={`${index} ${part}`}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);

export const shortReference = (reference: string | null): string =>
  reference?.replace(/@sha256:.*/, "").replace(/^docker\.io\/(library\/)?/, "") ?? "programs of the host";
