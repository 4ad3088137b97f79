import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useContainers, useProjects } from "../../lib/reads.ts";
import { serverOf } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Empty, Loaded, PageHead, Skeleton } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateContainer } from "./create.tsx";
import { LoadNow } from "./load.tsx";
import { Selected } from "./selected.tsx";
import { type Container, ContainerStatus, ImageName, imageName } from "./states.tsx";

interface Filters {
  readonly create?: boolean;
  readonly search?: string;
  /** `key=value` */
  readonly label?: string;
  readonly project?: string;
}

/** All containers that the user reaches, to find, start and stop. */
export default function ContainersPage() {
  const containers = useContainers();
  const projects = useProjects();
  const navigate = useNavigate();
  const filters = useSearch({ strict: false }) as Filters;
  const show = (next: Filters) => void navigate({ to: ".", search: next as never, replace: true });
  return (
    <>
      <PageHead title="Containers">
        <Button look="primary" icon="plus" onPress={() => show({ create: true })}>
          Create a container
        </Button>
      </PageHead>
      <Loaded query={containers}>
        {({ containers: all }) =>
          projects.isPending ? (
            // Their filter is above the list.
            <Skeleton rows={all.length} />
          ) : all.length === 0 ? (
            <Empty
              icon="container"
              title="No containers yet"
              action={<Button onPress={() => show({ create: true })}>Create the first container</Button>}
            >
              A container runs an image on a server that you rent, with a terminal, a firewall and addresses
              of its own.
            </Empty>
          ) : (
            <Found all={all} filters={filters} onFilter={show} />
          )
        }
      </Loaded>
      {filters.create && <CreateContainer onClose={() => show({})} />}
    </>
  );
}

interface FoundProps {
  readonly all: readonly Container[];
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

function Found({ all, filters, onFilter }: FoundProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const search = String(filters.search ?? "");
  const label = String(filters.label ?? "");
  const project = String(filters.project ?? "");
  const projects = useProjects().data?.projects ?? [];
  const rows = all.filter(
    (one) => isFound(one, search.toLowerCase(), label) && (project === "" || one.project_id === project),
  );
  const labels = [...new Set(all.flatMap(labelsOf))].sort();
  const navigate = useNavigate();
  const columns = useMemo(
    () =>
      columnsFor(
        (value) =>
          void navigate({ to: ".", search: ((former: Filters) => ({ ...former, label: value })) as never }),
      ),
    [navigate],
  );
  const change = (changed: Filters) => {
    const next = { search, label, project, ...changed };
    onFilter(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "")));
  };
  return (
    <>
      <div className="bar">
        <Field
          label="Search"
          value={search}
          onChange={(text) => change({ search: text })}
          placeholder="Name, image, server or state"
          type="search"
        />
        {projects.length > 1 && (
          <ChoiceField
            label="Project"
            value={project}
            onChange={(value) => change({ project: value })}
            choices={[
              { value: "", label: "any" },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        {labels.length > 0 && (
          <ChoiceField
            label="Label"
            value={label}
            onChange={(value) => change({ label: value })}
            choices={[{ value: "", label: "any" }, ...labels.map((one) => ({ value: one, label: one }))]}
          />
        )}
        <Selected chosen={rows.filter(({ id }) => selected.has(id))} />
      </div>
      {rows.length === 0 ? (
        <Empty icon="search" title="None of your containers is like this" />
      ) : (
        <Table
          caption="Containers"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          linkOf={({ id }) => `/containers/${id}`}
          selected={selected}
          onSelect={setSelected}
        />
      )}
    </>
  );
}

const labelsOf = ({ labels }: Container): string[] =>
  Object.entries(labels).map(([key, value]) => (value === "" ? key : `${key}=${value}`));

function isFound(container: Container, search: string, label: string): boolean {
  const { name, server_name, state } = container;
  const text = `${name} ${imageName(container)} ${serverOf(container)} ${server_name} ${state}`.toLowerCase();
  return text.includes(search) && (label === "" || labelsOf(container).includes(label));
}

const columnsFor = (onLabel: (label: string) => void): readonly Column<Container>[] => [
  { title: "Name", cell: ({ name }) => name },
  { title: "State", cell: (container) => <ContainerStatus container={container} /> },
  { title: "Load", cell: (container) => <LoadNow container={container} />, isFigure: true },
  { title: "Image", cell: (container) => <ImageName name={imageName(container)} /> },
  { title: "Server", cell: (container) => <span className="of-list">{serverOf(container)}</span> },
  {
    title: "Labels",
    isMinor: true,
    cell: (container) => (
      <span className="chips">
        {labelsOf(container).map((label) => (
          <Button
            key={label}
            look="quiet"
            aria-label={`Show those with ${label}`}
            onPress={() => onLabel(label)}
          >
            {label}
          </Button>
        ))}
      </span>
    ),
  },
  { title: "Created", cell: ({ created_at }) => <When at={created_at} />, isFigure: true, isMinor: true },
];
