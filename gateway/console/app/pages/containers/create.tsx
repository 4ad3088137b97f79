import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useProjects, useShares } from "../../lib/reads.ts";
import { type ServerChoice, useServerChoices } from "../../lib/servers.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/page.tsx";
import { useOwnImages } from "../images/own.ts";
import { NeedsServer, ServerField } from "../servers/choice.tsx";
import { createWords } from "./create-words.ts";
import { MoreSettings } from "./more-settings.tsx";
import { makeShares, shareCommands, withNames } from "./new-shares.ts";
import { ProjectField, projectCommands, projectOf } from "./project-field.tsx";
import { FIELD_OF_SETTING, fieldsOf, settingsOf } from "./setting-fields.ts";
import type { Container } from "./states.tsx";
import { VolumeFields, volumesOf } from "./volume-fields.tsx";

/** A new container: what it runs, and where. */
export function CreateContainer({ onClose }: { onClose: () => void }) {
  const projects = useProjects().data?.projects;
  const choices = useServerChoices();
  const { like = "" } = useSearch({ strict: false }) as { like?: string };
  const model = useLike(String(like));
  const images = useRunnableImages();
  return (
    <Dialog title="Create a container" onClose={onClose}>
      <NeedsServer servers={choices} what="A container">
        {(servers) =>
          projects === undefined || model === undefined || images === undefined ? (
            <Skeleton rows={5} />
          ) : (
            <CreateForm projects={projects} servers={servers} images={images} model={model} />
          )
        }
      </NeedsServer>
    </Dialog>
  );
}

interface CreateFormProps {
  readonly projects: readonly Schemas["Project"][];
  readonly servers: readonly ServerChoice[];
  readonly images: readonly RunnableImage[];
  /** The container that the new one is to be like; null: none. */
  readonly model: Container | null;
}

function CreateForm({ projects, servers, images, model }: CreateFormProps) {
  const navigate = useNavigate();
  // The pages of images, servers and projects lead here with what is to be used.
  const asked = useSearch({ strict: false }) as { image?: string; server?: string; project?: string };
  const { image, server } = asked;
  const [serverId, setServerId] = useState(
    server === undefined ? (model?.server_id ?? servers[0]?.id ?? "") : String(server),
  );
  const [project, setProject] = useState(asked.project ?? model?.project_id ?? projects[0]?.id ?? "");
  const [source, setSource] = useState(() => {
    if (image !== undefined) return String(image);
    if (model !== null) return model.image === null ? "none" : "reference";
    return images[0]?.id ?? "reference";
  });
  /** Shares that were made for a container that was then refused. */
  const [made, setMade] = useState<Readonly<Record<number, Schemas["StorageShare"]>>>({});
  const begin = model === null ? undefined : copyOf(model);
  const chosen = images.find(({ id }) => id === source);
  const create = (values: Values) =>
    projectOf(values, setProject, async (project_id) => {
      const shares: Record<number, Schemas["StorageShare"]> = {};
      const make = async () => {
        const body = bodyOf(await makeShares(values, project_id, shares));
        return dataOf(api.POST("/api/v1/containers", { body: { ...body, project_id } }));
      };
      const { id, name } = await make().catch((error) => {
        if (Object.keys(shares).length > 0) setMade(shares);
        throw error;
      });
      await refresh(["containers"]);
      toast(`${name} is created`);
      await navigate({ to: `/containers/${id}` });
    });
  return (
    <Form
      submit="Create the container"
      onSubmit={create}
      fieldOf={{ ...FIELD_OF_SETTING, NAME_TAKEN: "name", IMAGE_NOT_FOUND: "image" }}
      command={(values) => {
        const body = bodyOf(withNames(values));
        const names = {
          server: servers.find(({ id }) => id === values.server_id)?.name,
          project: projects.find(({ id }) => id === values.project)?.name ?? values.project_name,
        };
        return [
          ...projectCommands(values),
          ...shareCommands(values, names),
          {
            method: "POST",
            path: "/api/v1/containers",
            body: { project_id: values.project || "…", ...body },
            berth: createWords(body, names),
          },
        ];
      }}
    >
      <ChoiceField
        label="Image"
        autoFocus
        value={source}
        onChange={setSource}
        choices={[
          ...images.map(({ id, alias }) => ({ value: id, label: alias })),
          { value: "reference", label: "From a registry" },
          { value: "none", label: "None: the programs of the host" },
        ]}
        hint={chosen?.description ?? (images.length > 0 && "The images of the catalogue come first.")}
      />
      {source === "reference" && (
        <Field
          label="Reference"
          name="image"
          isRequired
          defaultValue={model?.image?.reference ?? ""}
          placeholder="debian:13"
          hint="As for docker pull. The container keeps what a tag means now."
        />
      )}
      {source !== "reference" && source !== "none" && <input type="hidden" name="image_id" value={source} />}
      <Field
        label="Name"
        name="name"
        isRequired
        maxLength={63}
        pattern="[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?"
        mismatch="Only small letters a to z, digits and hyphens, and no hyphen at its ends."
        hint="a–z, 0–9 and hyphen. It is part of its host name."
      />
      <ServerField
        servers={servers}
        value={serverId}
        onChange={setServerId}
        hint={serverId === String(server) && "The one that you came from."}
      />
      <ProjectField projects={projects} project={project} onChange={setProject} />
      <Field
        label="Command"
        name="command"
        defaultValue={begin?.command ?? ""}
        placeholder={'sh -c "echo started; sleep infinity"'}
        hint={
          source === "none"
            ? "What it runs; words with blanks stand in quotes. Empty: it waits for you."
            : "In place of the image's own; words with blanks stand in quotes. Empty: the image's own."
        }
      />
      {begin?.args && <Field label="Arguments" name="args" defaultValue={begin.args} />}
      {model?.env.some(({ secret }) => secret) && (
        <p className="note warn">
          Secret variables are not copied, because nobody can read them: give them again below.
        </p>
      )}
      <MoreSettings {...(begin && { begin })} />
      <NewVolumes projectId={project} serverId={serverId} made={made} />
    </Form>
  );
}

/** The container of this id; null: none was named, or it is gone; undefined while it is being read. */
function useLike(id: string): Container | null | undefined {
  const { data, isPending } = useQuery({
    queryKey: ["containers", id, "record"],
    queryFn: () => dataOf(api.GET("/api/v1/containers/{id}", { params: { path: { id } } })),
    enabled: id !== "",
  });
  return id !== "" && isPending ? undefined : (data ?? null);
}

/** Its settings; a name is its own, and secrets cannot be read. */
const copyOf = (model: Container): Values => ({ ...fieldsOf(model), name: "", secrets: "" });

interface NewVolumesProps {
  /** Empty: a new one, which has no shares. */
  readonly projectId: string;
  readonly serverId: string;
  readonly made: Readonly<Record<number, Schemas["StorageShare"]>>;
}

/** Storage shares for the new container: those that its project has on the server, or new ones. */
function NewVolumes({ projectId, serverId, made }: NewVolumesProps) {
  const all = useShares({ server_id: serverId }).data?.storage_shares ?? [];
  const names = Object.values(made).map(({ name }) => name);
  return (
    <>
      <details className="same">
        <summary>Volumes: files that stay when the container goes</summary>
        <div className="fields">
          <VolumeFields
            key={serverId}
            shares={all.filter(({ project_id }) => project_id === projectId)}
            makesShares
            made={made}
          />
        </div>
      </details>
      {names.length > 0 && (
        <p className="note" role="status">
          <span>
            The storage share <bdi>{names.join(", ")}</bdi> is made, and chosen for the volume. The container
            is not made yet.
          </span>
        </p>
      )}
    </>
  );
}

interface RunnableImage {
  readonly id: string;
  readonly alias: string;
  readonly description?: string;
}

/**
 * The images that the user may run: those of the user's own, and those of the catalogue that cost nothing. Undefined while
 * they are being read; where that fails, a reference can still be given.
 */
function useRunnableImages(): readonly RunnableImage[] | undefined {
  const owned = useOwnImages();
  const catalogue = useQuery({
    queryKey: ["images", "free"],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/images/public", { params: { query: { limit: "100" } } }))).images,
  });
  if (owned.isPending || catalogue.isPending) return undefined;
  const own = owned.data ?? [];
  const free =
    catalogue.data?.filter(({ id, price }) => price === 0 && !own.some((one) => one.id === id)) ?? [];
  return [...own, ...free];
}

function bodyOf(values: Values) {
  const { name = "", server_id = "", image, image_id } = values;
  return {
    ...settingsOf(values),
    name,
    server_id,
    ...(volumesOf(values).length === 0 ? {} : { volumes: volumesOf(values) }),
    ...(image ? { image } : {}),
    ...(image_id ? { image_id } : {}),
  };
}
