import { Link, type LinkProps } from "@tanstack/react-router";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { from, useFilters, useList } from "../../lib/lists.ts";
import { useContainers } from "../../lib/reads.ts";
import { serverOf } from "../../lib/servers.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { LoadedList } from "../../ui/list.tsx";
import { Empty, Loaded, PageHead } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateName } from "../containers/create-name.tsx";
import { COLUMNS } from "../containers/names.tsx";
import { OwnDomains } from "./domains.tsx";

type Alias = Schemas["Alias"];
type Container = Schemas["Container"];

const STATES = [
  { value: "", label: "any" },
  { value: "true", label: "on" },
  { value: "false", label: "off" },
];

/** The short public addresses of all containers. */
export default function NamesPage() {
  const [filters, change] = useFilters(["enabled"]);
  const [creates, setCreates] = useState(false);
  const containers = useContainers().data?.containers ?? [];
  const query = useList(["aliases", "all", filters], async (cursor) => {
    const given = { ...filters, ...from(cursor) } as { enabled?: "true" | "false" };
    const { aliases, pagination } = await dataOf(
      api.GET("/api/v1/proxy/aliases", { params: { query: given } }),
    );
    return { items: aliases, next: pagination.next_cursor };
  });
  const nameOf = (id: string) => containers.find((one) => one.id === id)?.name ?? id;
  return (
    <>
      <PageHead title="Names">
        <Button look="primary" icon="plus" onPress={() => setCreates(true)}>
          Create a name
        </Button>
      </PageHead>
      <search className="filters" aria-label="Names">
        <ChoiceField
          label="State"
          value={filters.enabled ?? ""}
          onChange={(enabled) => change({ enabled })}
          choices={STATES}
        />
      </search>
      <LoadedList
        query={query}
        empty={
          <Empty
            icon="name"
            title={filters.enabled === undefined ? "No names yet" : "No such names"}
            action={
              filters.enabled === undefined ? (
                <Button onPress={() => setCreates(true)}>Create the first name</Button>
              ) : (
                <Button onPress={() => change({ enabled: "" })}>Show all</Button>
              )
            }
          >
            A name is a short address that leads to a port of a container, or to its terminal, pipe or files.
          </Empty>
        }
      >
        {(aliases) => (
          <Table caption="Names" columns={columnsOf(nameOf)} rows={aliases} keyOf={({ id }) => id} />
        )}
      </LoadedList>
      <OwnDomains />
      {creates && <CreateAnyName onClose={() => setCreates(false)} />}
    </>
  );
}

/** The columns of one container's names, with whose each is after the address. */
const columnsOf = (nameOf: (id: string) => string): readonly Column<Alias>[] => {
  const [address, ...rest] = COLUMNS;
  const container: Column<Alias> = {
    title: "Container",
    cell: ({ container_id }) => (
      <Link to={`/containers/${container_id}` as LinkProps["to"]}>{nameOf(container_id)}</Link>
    ),
  };
  return [...(address ? [address] : []), container, ...rest];
};

/** A name belongs to a container, which is chosen first where there are several. */
function CreateAnyName({ onClose }: { onClose: () => void }) {
  const query = useContainers();
  const [chosen, setChosen] = useState<Container>();
  const containers = query.data?.containers ?? [];
  const container = chosen ?? (containers.length === 1 ? containers[0] : undefined);
  if (container) return <CreateName container={container} onClose={onClose} />;
  const choose = async ({ container_id }: Values) =>
    setChosen(containers.find(({ id }) => id === container_id));
  return (
    <Dialog title="Create a name" onClose={onClose}>
      <Loaded query={query} rows={1}>
        {() =>
          containers.length === 0 ? (
            <NeedsContainer />
          ) : (
            <Form submit="Continue" onSubmit={choose}>
              <ChoiceField
                label="Container"
                name="container_id"
                choices={containers.map((one) => ({
                  value: one.id,
                  label: `${one.name} on ${serverOf(one)}`,
                }))}
              />
            </Form>
          )
        }
      </Loaded>
    </Dialog>
  );
}

const NeedsContainer = () => (
  <Empty
    icon="container"
    title="A name needs a container"
    action={
      <ButtonLink look="primary" to="/containers?create=true">
        Create a container
      </ButtonLink>
    }
  />
);
