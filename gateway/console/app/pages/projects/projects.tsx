import { Link, type LinkProps } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { useContainers, useProjects, useShares } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, PageHead } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateProject } from "./project-form.tsx";

type Project = Schemas["Project"];

/** What groups containers, storage shares and the credentials of registries. */
export default function ProjectsPage() {
  const [creates, setCreates] = useState(false);
  const projects = useProjects();
  const containers = useContainers().data?.containers;
  const shares = useShares().data?.storage_shares;
  const columns: readonly Column<Project>[] = [
    { title: "Project", cell: ({ name }) => name },
    { title: "What for", cell: ({ description }) => description },
    { title: "Containers", cell: ({ id }) => countIn(id, containers), isFigure: true },
    { title: "Storage shares", cell: ({ id }) => countIn(id, shares), isFigure: true },
    { title: "Created", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
  ];
  return (
    <>
      <PageHead title="Projects">
        <Button look="primary" icon="plus" onPress={() => setCreates(true)}>
          Create a project
        </Button>
      </PageHead>
      <p className="hint bar">
        Have a compose file? <Link to={"/projects/compose" as LinkProps["to"]}>Make a project from it</Link>
      </p>
      <Loaded query={projects}>
        {({ projects: all }) =>
          all.length === 0 ? (
            <Empty
              icon="project"
              title="No projects yet"
              action={<Button onPress={() => setCreates(true)}>Create the first project</Button>}
            >
              A project groups what belongs together: containers, the storage shares that they mount, and the
              private registries of their images. Your first container makes one, too.
            </Empty>
          ) : (
            <Table
              caption="Projects"
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/projects/${id}`}
            />
          )
        }
      </Loaded>
      {creates && <CreateProject onClose={() => setCreates(false)} />}
    </>
  );
}

const countIn = (projectId: string, things: readonly { readonly project_id: string }[] | undefined) =>
  things === undefined
    ? "…"
    : formatNumber(things.filter(({ project_id }) => project_id === projectId).length);
