import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { quotedId } from "../../lib/quoted-id.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ChangeSettings } from "./change-settings.tsx";
import type { Container } from "./states.tsx";

/** What can be changed, and what is done once. */
export default function Settings({ container }: { container: Container }) {
  return (
    <div className="stack">
      <ChangeSettings container={container} />
      <section className="panel stack">
        <h2>Another one</h2>
        <p className="hint">
          A new container begins with these settings and the same image. Its files are those of the image.
        </p>
        <div>
          <ButtonLink icon="plus" to={`/containers?create=true&like=${quotedId(container.id)}`}>
            Create one like it
          </ButtonLink>
        </div>
      </section>
      <DeleteContainer container={container} />
    </div>
  );
}

function DeleteContainer({ container: { id, name, server_id } }: { container: Container }) {
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  useAsked(() => setAsks(true));
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  return (
    <section className="panel stack">
      <h2>Delete the container</h2>
      <p className="hint">
        Everything in it is lost, and its names lead nowhere from then on. It frees its place on the server at
        once.
      </p>
      <div>
        <Button look="risky" isDisabled={isReadOnly} onPress={() => setAsks(true)}>
          Delete {name}
        </Button>
      </div>
      {asks && (
        <Confirm
          title={`Delete the container ${name}?`}
          action="Delete the container"
          isDangerous
          onClose={() => setAsks(false)}
          command={{
            method: "DELETE",
            path: `/api/v1/containers/${id}`,
            berth: ["containers", "delete", name],
          }}
          onConfirm={async () => {
            await api.DELETE("/api/v1/containers/{id}", { params: { path: { id } } });
            toast(`${name} is deleted`);
            await navigate({ to: "/containers" });
            await refresh(["containers", "list"], ["aliases"]);
          }}
        >
          <p>The container, its files and its names are deleted. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
}
