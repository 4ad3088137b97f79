import { useState } from "react";
import { act } from "../../lib/actions.ts";
import { api, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { perform } from "../../lib/perform.ts";
import { useNames } from "../../lib/reads.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { AuthorityNote } from "../../ui/authority-note.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateName } from "./create-name.tsx";
import type { Container } from "./states.tsx";

type Alias = Schemas["Alias"];

/** The short public addresses of the container. */
export default function Names({ container }: { container: Container }) {
  const [creates, setCreates] = useState(false);
  useAsked(() => setCreates(true));
  const query = useNames(container.id);
  const isReadOnly = useReadOnlyPool(container.server_id) !== undefined;
  return (
    <>
      <div className="bar">
        <Button look="primary" icon="plus" isDisabled={isReadOnly} onPress={() => setCreates(true)}>
          Create a name
        </Button>
      </div>
      <Loaded query={query}>
        {({ aliases }) =>
          aliases.length === 0 ? (
            <Empty icon="name" title="No names yet">
              A name is a short address that leads to a port of the container, or to its terminal, pipe or
              files. An address of a port is public, with HTTPS.
            </Empty>
          ) : (
            <>
              <Table caption="Names" columns={COLUMNS} rows={aliases} keyOf={({ id }) => id} />
              <AuthorityNote />
            </>
          )
        }
      </Loaded>
      {creates && <CreateName container={container} onClose={() => setCreates(false)} />}
    </>
  );
}

export const COLUMNS: readonly Column<Alias>[] = [
  {
    title: "Address",
    cell: ({ url }) => (
      <span className="copy">
        <a href={url} target="_blank" rel="noreferrer">
          {url.replace("https://", "")}
        </a>
        <CopyButton text={url} label="Copy the address" />
      </span>
    ),
  },
  {
    title: "Leads to",
    cell: ({ program, index, target_path }) =>
      `${["http", "https", "ssh"].includes(program) ? `${program} on port ${index}` : program}${target_path ?? ""}`,
  },
  {
    title: "State",
    cell: ({ enabled }) => <Status tone={enabled ? "good" : "idle"}>{enabled ? "on" : "off"}</Status>,
  },
  {
    title: "Ends",
    cell: ({ expires_at }) => (expires_at === null ? "never" : <When at={expires_at} />),
    isFigure: true,
  },
  { title: "Change", isActions: true, cell: (alias) => <NameActions alias={alias} /> },
];

function NameActions({ alias: { id, alias, url, enabled, server_id } }: { alias: Alias }) {
  const [asks, setAsks] = useState(false);
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  const path = { id };
  return (
    <>
      <Button
        look="quiet"
        isDisabled={isReadOnly}
        aria-label={`Switch ${enabled ? "off" : "on"} ${alias}`}
        onPress={() =>
          act(
            `${alias} is ${enabled ? "off" : "on"}`,
            () =>
              api.PATCH("/api/v1/proxy/aliases/{id}/state", {
                params: { path },
                body: { enabled: !enabled },
              }),
            ["aliases"],
          )
        }
      >
        {enabled ? "Switch off" : "Switch on"}
      </Button>
      <IconButton
        look="remove"
        label={`Delete ${alias}`}
        isDisabled={isReadOnly}
        onPress={() => setAsks(true)}
      />
      {asks && (
        <Confirm
          title={`Delete the name ${alias}?`}
          action="Delete the name"
          isDangerous
          onClose={() => setAsks(false)}
          onConfirm={() =>
            perform(
              `${alias} is deleted`,
              () => api.DELETE("/api/v1/proxy/aliases/{id}", { params: { path } }),
              ["aliases"],
            )
          }
          command={{
            method: "DELETE",
            path: `/api/v1/proxy/aliases/${id}`,
            berth: ["alias", "delete", alias],
          }}
        >
          <p>{url.replace("https://", "")} leads nowhere from then on, nor do domains that lead to it.</p>
        </Confirm>
      )}
    </>
  );
}
