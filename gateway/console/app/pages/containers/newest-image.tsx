import { act } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import { type Container, imageName } from "./states.tsx";

const LOOKING = ["waiting", "pulling"];

/** A container's image, and a way to what its tag means by now; a digest means the same for good. */
export function NewestImage({ container }: { container: Container }) {
  const { id, name, image, state, server_id } = container;
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  if (image === null || image.reference.includes("@") || state === "creating") return imageName(container);
  const isLooking = LOOKING.includes(image.state);
  const pull = () =>
    act(
      `${name} looks for a newer image, and starts again if there is one`,
      () => api.POST("/api/v1/containers/{id}/pull", { params: { path: { id } } }),
      ["containers", "list"],
      ["containers", id],
    );
  return (
    <span className="with-actions">
      {imageName(container)}
      <Button isDisabled={isLooking || isReadOnly} onPress={() => pull()}>
        {isLooking ? "Looking for a newer one" : "Take the newest"}
      </Button>
    </span>
  );
}
