import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import type { Command } from "../../lib/commands.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";

const DEFAULT_PROJECT = "main";

interface ProjectFieldProps {
  readonly projects: readonly Schemas["Project"][];
  readonly project: string;
  readonly onChange: (project: string) => void;
}

/** The project of a new thing: one that is there, or a new one, which is an empty text. */
export function ProjectField({ projects, project, onChange }: ProjectFieldProps) {
  return (
    <>
      <ChoiceField
        label="Project"
        name="project"
        value={project}
        onChange={onChange}
        choices={[
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          { value: "", label: "A new project" },
        ]}
      />
      {project === "" && (
        <Field
          label="Name of the new project"
          name="project_name"
          defaultValue={DEFAULT_PROJECT}
          isRequired
        />
      )}
    </>
  );
}

/** What makes the new project, for who does the same without the page; none where the project is there. */
export const projectCommands = ({ project = "", project_name = DEFAULT_PROJECT }: Values): Command[] =>
  project === ""
    ? [
        {
          method: "POST",
          path: "/api/v1/projects",
          body: { name: project_name },
          berth: ["projects", "create", project_name || "…"],
        },
      ]
    : [];

/**
 * Does something in the chosen project. A new project is made first.
 *
 * @param choose is told of a new project when the rest is refused: the next try is made in it
 */
export async function projectOf(
  { project = "", project_name = DEFAULT_PROJECT }: Values,
  choose: (projectId: string) => void,
  work: (projectId: string) => Promise<unknown>,
): Promise<void> {
  if (project !== "") {
    await work(project);
    return;
  }
  const { id } = await dataOf(api.POST("/api/v1/projects", { body: { name: project_name } }));
  try {
    await work(id);
  } catch (error) {
    await refresh(["projects"]);
    choose(id);
    throw error;
  }
  await refresh(["projects"]);
}
