import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { quotedId } from "../../lib/quoted-id.ts";
import { useContainers, useShares } from "../../lib/reads.ts";
import { serverOf } from "../../lib/servers.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Facts, Loaded, PageHead, Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { type Container, ContainerStatus, ImageName, imageName } from "../containers/states.tsx";
import { type Share, ShareStatus, ShareUse } from "../storage/states.tsx";
import { ChangeProject } from "./project-form.tsx";
import { ProjectRegistries } from "./registries.tsx";

type Project = Schemas["Project"];

/** One project: what belongs to it. */
export default function ProjectPage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useQuery({
    queryKey: ["projects", id, "record"],
    queryFn: () => dataOf(api.GET("/api/v1/projects/{id}", { params: { path: { id } } })),
  });
  return (
    <Loaded query={query} rows={6}>
      {(project) => <OneProject project={project} />}
    </Loaded>
  );
}

function OneProject({ project }: { project: Project }) {
  const { id, name, description, created_at } = project;
  const [opened, setOpened] = useState<"change" | "delete">();
  const containers = useContainers();
  const shares = useShares({ project_id: id });
  const close = () => setOpened(undefined);
  const own = containers.data?.containers.filter(({ project_id }) => project_id === id) ?? [];
  return (
    <>
      <PageHead title={name} under={{ title: "Projects", to: "/projects" }}>
        <ButtonLink look="primary" icon="plus" to={`/containers?create=true&project=${quotedId(id)}`}>
          Create a container
        </ButtonLink>
        <ButtonLink to={`/projects/compose?project=${quotedId(name)}`}>Compose file</ButtonLink>
        <Button onPress={() => setOpened("change")}>Rename or describe</Button>
        <Button look="risky" onPress={() => setOpened("delete")}>
          Delete
        </Button>
      </PageHead>
      <section className="panel" aria-label="Details">
        <Facts
          facts={[
            ["What for", description || "nothing is written yet"],
            ["Created", <When key="created" at={created_at} />],
            ["Id", <Copyable key="id" text={id} label="the id" />],
          ]}
        />
      </section>
      <Section title="Containers">
        <Loaded query={containers}>
          {() =>
            own.length === 0 ? (
              <p className="hint">None yet. A container chooses its project when it is created.</p>
            ) : (
              <Table
                caption="Containers of this project"
                columns={CONTAINERS}
                rows={own}
                keyOf={(container) => container.id}
                linkOf={(container) => `/containers/${container.id}`}
              />
            )
          }
        </Loaded>
      </Section>
      <Section title="Storage shares">
        <Loaded query={shares}>
          {({ storage_shares: found }) =>
            found.length === 0 ? (
              <p className="hint">None yet. Containers of this project mount its shares.</p>
            ) : (
              <Table
                caption="Storage shares of this project"
                columns={SHARES}
                rows={found}
                keyOf={(share) => share.id}
                linkOf={(share) => `/storage/${share.id}`}
              />
            )
          }
        </Loaded>
      </Section>
      <ProjectRegistries projectId={id} />
      {opened === "change" && <ChangeProject project={project} onClose={close} />}
      {opened === "delete" && (
        <DeleteProject
          project={project}
          left={[
            own.length === 0 ? "" : plural(own.length, "container"),
            shares.data?.storage_shares.length
              ? plural(shares.data.storage_shares.length, "storage share")
              : "",
          ].filter((text) => text !== "")}
          onClose={close}
        />
      )}
    </>
  );
}

const CONTAINERS: readonly Column<Container>[] = [
  { title: "Name", cell: ({ name }) => name },
  { title: "State", cell: (container) => <ContainerStatus container={container} /> },
  { title: "Image", cell: (container) => <ImageName name={imageName(container)} /> },
  { title: "Server", cell: serverOf },
];

const SHARES: readonly Column<Share>[] = [
  { title: "Name", cell: ({ name }) => name },
  { title: "State", cell: (share) => <ShareStatus share={share} /> },
  { title: "In use", cell: (share) => <ShareUse share={share} /> },
  { title: "Server", cell: serverOf },
];

interface DeleteProjectProps {
  readonly project: Project;
  /** What is still in it, in words. */
  readonly left: readonly string[];
  readonly onClose: () => void;
}

function DeleteProject({ project: { id, name }, left, onClose }: DeleteProjectProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Delete the project ${name}?`}
      action="Delete the project"
      isDangerous
      isDisabled={left.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE("/api/v1/projects/{id}", { params: { path: { id } } });
        await navigate({ to: "/projects" as "." });
        await perform(`${name} is deleted`, async () => {}, ["projects", "list"]);
      }}
      command={{ method: "DELETE", path: `/api/v1/projects/${id}`, berth: ["projects", "delete", name] }}
    >
      <p>Its credentials of registries are deleted with it. This cannot be undone.</p>
      {left.length > 0 && <p className="note warn">It still has {left.join(" and ")}: delete these first.</p>}
    </Confirm>
  );
}
