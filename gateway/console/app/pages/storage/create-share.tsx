import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option, sizeWord } from "../../lib/commands.ts";
import { useProjects } from "../../lib/reads.ts";
import { type ServerChoice, useServerChoices } from "../../lib/servers.ts";
import { toast } from "../../lib/toasts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/page.tsx";
import { ProjectField, projectCommands, projectOf } from "../containers/project-field.tsx";
import { NeedsServer, ServerField } from "../servers/choice.tsx";
import { SizeField, sizeOf } from "./size-field.tsx";

/** A new storage share: on which server, for which project, and how large. */
export function CreateShare({ onClose }: { onClose: () => void }) {
  const projects = useProjects().data?.projects;
  const choices = useServerChoices();
  return (
    <Dialog title="Create a storage share" onClose={onClose}>
      <NeedsServer servers={choices} what="A storage share">
        {(servers) =>
          projects === undefined ? (
            <Skeleton rows={4} />
          ) : (
            <CreateForm projects={projects} servers={servers} />
          )
        }
      </NeedsServer>
    </Dialog>
  );
}

interface CreateFormProps {
  readonly projects: readonly Schemas["Project"][];
  readonly servers: readonly ServerChoice[];
}

function CreateForm({ projects, servers }: CreateFormProps) {
  const navigate = useNavigate();
  const [project, setProject] = useState(projects[0]?.id ?? "");
  const create = (values: Values) =>
    projectOf(values, setProject, async (project_id) => {
      const { id, name } = await dataOf(
        api.POST("/api/v1/storage-shares", { body: { ...bodyOf(values), project_id } }),
      );
      await refresh(["storage"]);
      toast(`${name} is created`);
      await navigate({ to: `/storage/${id}` as "." });
    });
  return (
    <Form
      submit="Create the storage share"
      onSubmit={create}
      fieldOf={{ NAME_TAKEN: "name", SERVER_STORAGE_EXCEEDED: "size" }}
      command={(values) => [
        ...projectCommands(values),
        {
          method: "POST",
          path: "/api/v1/storage-shares",
          body: { project_id: values.project || "…", ...bodyOf(values) },
          berth: [
            ...["share", "create", values.name || "…"],
            ...option("server", servers.find(({ id }) => id === values.server_id)?.name),
            ...option(
              "project",
              projects.find(({ id }) => id === values.project)?.name ?? values.project_name,
            ),
            ...option("size", sizeWord(sizeOf(values))),
          ],
        },
      ]}
    >
      <Field label="Name" name="name" isRequired autoFocus maxLength={63} />
      <SizeField label="Size" defaultBytes={10 * 1024 ** 3} hint="It can grow later, and does not shrink." />
      <ServerField servers={servers} hint="Containers on this server can mount it." />
      <ProjectField projects={projects} project={project} onChange={setProject} />
    </Form>
  );
}

const bodyOf = (values: Values) => ({
  name: values.name ?? "",
  server_id: values.server_id ?? "",
  size_bytes: sizeOf(values),
});
