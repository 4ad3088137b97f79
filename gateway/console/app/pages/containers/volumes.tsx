import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useShares } from "../../lib/reads.ts";
import { serverOf, useReadOnlyPool } from "../../lib/servers.ts";
import { toast } from "../../lib/toasts.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Unsaved } from "../../ui/unsaved.tsx";
import { volumeWords } from "./setting-words.ts";
import type { Container } from "./states.tsx";
import { VolumeFields, volumesOf } from "./volume-fields.tsx";

/** Where storage shares appear in the container: all of them are set at once, and mounted at its next start. */
export default function Volumes({ container }: { container: Container }) {
  const { project_id, server_id, volumes } = container;
  const shares = useShares({ project_id, server_id });
  return (
    <Loaded query={shares}>
      {({ storage_shares }) =>
        storage_shares.length === 0 ? (
          <Empty
            icon="storage"
            title="No storage share for it"
            action={<ButtonLink to="/storage?create=true">Create a storage share</ButtonLink>}
          >
            A container's own files are deleted with it. What is to stay belongs on a storage share, of the
            same project and on {serverOf(container)}.
          </Empty>
        ) : (
          <VolumesForm key={JSON.stringify(volumes)} container={container} shares={storage_shares} />
        )
      }
    </Loaded>
  );
}

interface VolumesFormProps {
  readonly container: Container;
  readonly shares: readonly Schemas["StorageShare"][];
}

const mountWords = (volumes: readonly Schemas["Volume"][]): string[] =>
  volumes.length === 0 ? ["--no-volumes"] : volumeWords(volumes);

/** Equal for equal volumes. */
const textOf = (volumes: readonly Schemas["Volume"][]): string =>
  JSON.stringify(volumes.map(({ share_id, path, read_only }) => [share_id, path, read_only]));

function VolumesForm({ container: { id, name, volumes, state, server_id }, shares }: VolumesFormProps) {
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  const save = async (values: Values) => {
    const body = { volumes: volumesOf(values) };
    if (textOf(body.volumes) === textOf(volumes)) {
      toast("Nothing was changed");
      return;
    }
    await dataOf(api.PUT("/api/v1/containers/{id}/volumes", { params: { path: { id } }, body }));
    await refresh(["containers", id], ["storage"]);
    const change = body.volumes.length === 0 ? "It loses them" : "They are mounted";
    toast(state === "running" ? `Saved. ${change} when it is restarted` : "Saved");
  };
  return (
    <section className="panel stack" aria-labelledby="volumes">
      <h2 id="volumes">Volumes</h2>
      <p className="hint">They are mounted when the container starts: after a change, restart it.</p>
      <Form
        guard={(isChanged) => <Unsaved isChanged={isChanged} />}
        submit="Save the volumes"
        isDisabled={isReadOnly}
        onSubmit={save}
        command={(values) => ({
          method: "PUT",
          path: `/api/v1/containers/${id}/volumes`,
          body: { volumes: volumesOf(values) },
          berth: ["containers", "update", name, ...mountWords(volumesOf(values))],
        })}
      >
        <VolumeFields shares={shares} begin={volumes} />
      </Form>
    </section>
  );
}
