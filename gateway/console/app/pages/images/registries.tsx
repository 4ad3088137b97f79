import { useState } from "react";
import type { Schemas } from "../../lib/api.ts";
import { useProjects } from "../../lib/reads.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { ProjectRegistries } from "../projects/registries.tsx";
import { ImagesHead } from "./tabs.tsx";

/** The private registries of each project. */
export default function RegistriesPage() {
  const query = useProjects();
  return (
    <>
      <ImagesHead />
      <Loaded query={query}>
        {({ projects }) => (projects.length === 0 ? <NoProjects /> : <OfProjects projects={projects} />)}
      </Loaded>
    </>
  );
}

const NoProjects = () => (
  <Empty
    icon="project"
    title="No projects yet"
    action={<ButtonLink to="/projects">See the projects</ButtonLink>}
  >
    Credentials belong to a project. Your first container makes one.
  </Empty>
);

function OfProjects({ projects }: { projects: readonly Schemas["Project"][] }) {
  const [chosen, setChosen] = useState(projects[0]?.id ?? "");
  const id = (projects.find((project) => project.id === chosen) ?? projects[0])?.id ?? "";
  return (
    <>
      <div className="filters">
        <ChoiceField
          label="Project"
          value={id}
          onChange={setChosen}
          choices={projects.map(({ id: value, name: label }) => ({ value, label }))}
        />
      </div>
      <ProjectRegistries key={id} projectId={id} />
    </>
  );
}
