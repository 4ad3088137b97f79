import { useNavigate } from "@tanstack/react-router";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { perform } from "../../lib/perform.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";

type Project = Schemas["Project"];

const bodyOf = ({ name = "", description = "" }: Values) => ({ name, description });

/** The project's own page is shown next. */
export function CreateProject({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = async (values: Values) => {
    const { id, name } = await dataOf(api.POST("/api/v1/projects", { body: bodyOf(values) }));
    await perform(`Project ${name} is created`, async () => {}, ["projects", "list"]);
    await navigate({ to: `/projects/${id}` as "." });
  };
  return (
    <Dialog title="Create a project" onClose={onClose}>
      <Form
        submit="Create the project"
        onSubmit={create}
        fieldOf={{ NAME_TAKEN: "name", QUOTA_EXCEEDED: "name" }}
        command={(values) => ({
          method: "POST",
          path: "/api/v1/projects",
          body: bodyOf(values),
          berth: ["projects", "create", values.name || "…", ...option("description", values.description)],
        })}
      >
        <ProjectFields />
      </Form>
    </Dialog>
  );
}

interface ChangeProjectProps {
  readonly project: Project;
  readonly onClose: () => void;
}

export const ChangeProject = ({ project, onClose }: ChangeProjectProps) => (
  <Dialog title={`Change ${project.name}`} onClose={onClose}>
    <Form
      submit="Save"
      onSubmit={async (values) => {
        await perform(
          "The project is changed",
          () =>
            api.PATCH("/api/v1/projects/{id}", {
              params: { path: { id: project.id } },
              body: bodyOf(values),
            }),
          ["projects"],
        );
        onClose();
      }}
      fieldOf={{ NAME_TAKEN: "name" }}
      command={(values) => ({
        method: "PATCH",
        path: `/api/v1/projects/${project.id}`,
        body: bodyOf(values),
        berth: [
          ...["projects", "update", project.name],
          ...option("name", values.name === project.name ? "" : values.name),
          ...option("description", values.description),
        ],
      })}
    >
      <ProjectFields project={project} />
    </Form>
  </Dialog>
);

const ProjectFields = ({ project }: { project?: Project }) => (
  <>
    <Field
      label="Name"
      name="name"
      maxLength={100}
      defaultValue={project?.name ?? ""}
      isRequired
      autoFocus
      {...(project && { hint: "Addresses of containers stay as they are." })}
    />
    <Field
      label="What for"
      name="description"
      lines={3}
      maxLength={500}
      defaultValue={project?.description ?? ""}
    />
  </>
);
