import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useProjects, useRentals } from "../../lib/reads.ts";
import { toast } from "../../lib/toasts.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Skeleton } from "../../ui/page.tsx";
import { MoreSettings, settingsOf } from "./more-settings.tsx";

const NEW_PROJECT = "new";
const DEFAULT_PROJECT = "main";

/** A new container: where it runs, and what. */
export function CreateContainer({ onClose }: { onClose: () => void }) {
  const projects = useProjects().data?.projects;
  const servers = useRentals().data?.filter(({ status }) => status === "active");
  return (
    <Dialog title="Create a container" onClose={onClose}>
      {projects === undefined || servers === undefined ? (
        <Skeleton rows={5} />
      ) : servers.length === 0 ? (
        <Empty
          icon="server"
          title="A container needs a server"
          action={
            <ButtonLink look="primary" to="/marketplace">
              See the servers
            </ButtonLink>
          }
        >
          You rent none at present, and share none through a pool.
        </Empty>
      ) : (
        <CreateForm projects={projects} servers={servers} />
      )}
    </Dialog>
  );
}

interface CreateFormProps {
  readonly projects: readonly Schemas["Project"][];
  readonly servers: readonly Schemas["Rental"][];
}

function CreateForm({ projects, servers }: CreateFormProps) {
  const navigate = useNavigate();
  const [project, setProject] = useState(projects[0]?.id ?? NEW_PROJECT);
  // The page of images leads here with the one that is to be used.
  const { image } = useSearch({ strict: false }) as { image?: string };
  const [source, setSource] = useState(image === undefined ? "reference" : String(image));
  const images = useUserImages();
  const create = async (values: Values) => {
    const projectId = project === NEW_PROJECT ? await createProject(values) : project;
    const { id, name } = await dataOf(
      api.POST("/api/v1/containers", { body: { ...bodyOf(values), project_id: projectId } }),
    );
    await refresh(["containers"], ["projects"]);
    toast(`${name} is being created`);
    await navigate({ to: `/containers/${id}` });
  };
  return (
    <Form
      submit="Create the container"
      onSubmit={create}
      fieldOf={{ NAME_TAKEN: "name", IMAGE_NOT_FOUND: "image" }}
      command={(values) => ({
        method: "POST",
        path: "/api/v1/containers",
        body: { project_id: project === NEW_PROJECT ? "…" : project, ...bodyOf(values) },
      })}
    >
      <Field
        label="Name"
        name="name"
        isRequired
        autoFocus
        maxLength={63}
        pattern="[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?"
        hint="a–z, 0–9 and hyphen. It is part of its host name."
      />
      <ChoiceField
        label="Server"
        name="server_id"
        choices={servers.map(({ server_id, server_name }) => ({ value: server_id, label: server_name }))}
      />
      <ChoiceField
        label="Project"
        value={project}
        onChange={setProject}
        choices={[
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          { value: NEW_PROJECT, label: "A new project" },
        ]}
      />
      {project === NEW_PROJECT && (
        <Field
          label="Name of the new project"
          name="project_name"
          defaultValue={DEFAULT_PROJECT}
          isRequired
        />
      )}
      <ChoiceField
        label="Image"
        value={source}
        onChange={setSource}
        choices={[
          { value: "reference", label: "From a registry" },
          ...images.map(({ id, image_name, release }) => ({ value: id, label: `${image_name} ${release}` })),
          { value: "none", label: "None: the programs of the host" },
        ]}
      />
      {source === "reference" ? (
        <>
          <Field
            label="Reference"
            name="image"
            isRequired
            placeholder="debian:13"
            hint="As for docker pull. The container keeps what a tag means now."
          />
          <Field
            label="Command"
            name="command"
            placeholder="sleep infinity"
            hint="In place of the image's own; words are separated by spaces. Empty: the image's own."
          />
        </>
      ) : (
        source !== "none" && <input type="hidden" name="image_id" value={source} />
      )}
      <MoreSettings />
    </Form>
  );
}

/** The images of the catalogue that the user has. */
function useUserImages(): readonly Schemas["UserImage"][] {
  const { data } = useQuery({
    queryKey: ["images", "user"],
    queryFn: () => dataOf(api.GET("/api/v1/images/user")),
  });
  return data?.images ?? [];
}

async function createProject({ project_name = DEFAULT_PROJECT }: Values): Promise<string> {
  const { id } = await dataOf(api.POST("/api/v1/projects", { body: { name: project_name } }));
  return id;
}

function bodyOf(values: Values) {
  const { name = "", server_id = "", image, image_id, command = "" } = values;
  const words = command.trim() === "" ? undefined : command.trim().split(/\s+/);
  return {
    name,
    server_id,
    ...(image ? { image } : {}),
    ...(image_id ? { image_id } : {}),
    ...(image && words ? { command: words } : {}),
    ...settingsOf(values),
  };
}
