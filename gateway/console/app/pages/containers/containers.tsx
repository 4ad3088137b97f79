import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { useContainers } from "../../lib/reads.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Empty, Loaded, PageHead } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateContainer } from "./create.tsx";
import { type Container, ContainerStatus, imageName } from "./states.tsx";

const COLUMNS: readonly Column<Container>[] = [
  { title: "Name", cell: ({ name }) => name },
  { title: "State", cell: (container) => <ContainerStatus container={container} /> },
  { title: "Image", cell: imageName },
  { title: "Server", cell: ({ server_name }) => server_name },
  { title: "Address", cell: ({ address }) => <code>{address ?? "none yet"}</code> },
  { title: "Created", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
];

/** All containers that the user reaches, to find, start and stop. */
export default function ContainersPage() {
  const containers = useContainers();
  const navigate = useNavigate();
  const { create, search = "" } = useSearch({ strict: false }) as { create?: boolean; search?: string };
  const show = (next: { create?: boolean; search?: string }) =>
    void navigate({ to: ".", search: next as never, replace: true });
  return (
    <>
      <PageHead title="Containers">
        <Button look="primary" icon="plus" onPress={() => show({ create: true })}>
          Create a container
        </Button>
      </PageHead>
      <Loaded query={containers}>
        {({ containers: all }) =>
          all.length === 0 ? (
            <Empty icon="container" title="No containers yet">
              A container runs an image on a server that you rent, with a terminal, a firewall and addresses
              of its own.
            </Empty>
          ) : (
            <Found
              all={all}
              search={String(search)}
              onSearch={(text) => show(text === "" ? {} : { search: text })}
            />
          )
        }
      </Loaded>
      {create && <CreateContainer onClose={() => show({})} />}
    </>
  );
}

interface FoundProps {
  readonly all: readonly Container[];
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

function Found({ all, search, onSearch }: FoundProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const wanted = search.toLowerCase();
  const rows = all.filter((one) =>
    `${one.name} ${imageName(one)} ${one.server_name} ${one.state}`.toLowerCase().includes(wanted),
  );
  const chosen = rows.filter(({ id }) => selected.has(id));
  const change = (what: "start" | "stop" | "restart", done: string) => () =>
    void act(
      `${plural(chosen.length, "container")} ${done}`,
      () =>
        Promise.all(
          chosen.map(({ id }) => api.POST(`/api/v1/containers/{id}/${what}`, { params: { path: { id } } })),
        ),
      ["containers"],
    );
  return (
    <>
      <div className="bar">
        <Field
          label="Search"
          value={search}
          onChange={onSearch}
          placeholder="Name, image, server or state"
          type="search"
        />
        {chosen.length > 0 && (
          <div className="page-actions" role="toolbar" aria-label="Selected containers">
            <span className="hint">{chosen.length} selected</span>
            <Button onPress={change("start", "starting")}>Start</Button>
            <Button onPress={change("restart", "restarting")}>Restart</Button>
            <Button onPress={change("stop", "stopping")}>Stop</Button>
          </div>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty icon="search" title="None of your containers is like this" />
      ) : (
        <Table
          caption="Containers"
          columns={COLUMNS}
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
