import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { useAsked } from "../../lib/asked.ts";
import { option, options } from "../../lib/commands.ts";
import { perform } from "../../lib/perform.ts";
import { useReadOnlyPool } from "../../lib/servers.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { CheckField, Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { Container } from "./states.tsx";

type Permission = Schemas["ContainerPermission"];

/** Who may enter the container without a role on its server, and until when. */
export default function People({ container }: { container: Container }) {
  const { id, name, server_id } = container;
  const isReadOnly = useReadOnlyPool(server_id) !== undefined;
  const [isGranting, setGranting] = useState(false);
  useAsked(() => setGranting(true));
  const [ended, setEnded] = useState<Permission>();
  const query = useQuery({
    queryKey: ["containers", id, "permissions"],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/containers/{id}/permissions", { params: { path: { id }, query: { limit: "500" } } }),
      ),
  });
  return (
    <>
      <div className="bar">
        <Button look="primary" icon="plus" isDisabled={isReadOnly} onPress={() => setGranting(true)}>
          Share access
        </Button>
      </div>
      <Loaded query={query}>
        {({ permissions }) =>
          permissions.length === 0 ? (
            <Empty icon="pool" title="Nobody else was let in">
              Whoever rents the server and the members of its pool enter {name} anyway. Here others get its
              terminal, pipe, notifications and files, for as long as you say, and nothing else of yours.
            </Empty>
          ) : (
            <Table
              caption={`Users who may enter ${name}`}
              columns={columnsFor(setEnded)}
              rows={permissions}
              keyOf={(permission) => permission.id}
            />
          )
        }
      </Loaded>
      {isGranting && <Grant containerId={id} onClose={() => setGranting(false)} />}
      {ended && <End containerId={id} permission={ended} onClose={() => setEnded(undefined)} />}
    </>
  );
}

const columnsFor = (end: (permission: Permission) => void): readonly Column<Permission>[] => [
  { title: "User", cell: ({ username }) => username },
  { title: "May use", cell: ({ services }) => services?.join(", ") ?? "everything of it" },
  { title: "Since", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
  {
    title: "Until",
    cell: ({ expires_at }) => (expires_at === null ? "you end it" : <When at={expires_at} />),
    isFigure: true,
  },
  {
    title: "Change",
    isActions: true,
    cell: (permission) => (
      <IconButton
        look="remove"
        label={`End the permission of ${permission.username}`}
        onPress={() => end(permission)}
      />
    ),
  },
];

/** What a permission can be narrowed to; programs of an image can be named by the API. */
const SERVICES = ["terminal", "pipe", "notifications", "files"] as const;

const servicesOf = (values: Values) => SERVICES.filter((service) => values[`service-${service}`] === "on");

const bodyOf = ({ username = "", expires_at = "", ...values }: Values) => ({
  username,
  ...(servicesOf(values).length === SERVICES.length ? {} : { services: servicesOf(values) }),
  ...(expires_at === "" ? {} : { expires_at: new Date(expires_at).toISOString() }),
});

const Grant = ({ containerId, onClose }: { containerId: string; onClose: () => void }) => (
  <Dialog title="Share access" onClose={onClose}>
    <Form
      submit="Let in"
      onSubmit={async (values) => {
        const params = { path: { id: containerId } };
        await perform(
          `${values.username} may enter`,
          () => api.POST("/api/v1/containers/{id}/permissions", { params, body: bodyOf(values) }),
          ["containers", containerId],
        );
        onClose();
      }}
      fieldOf={{ USER_NOT_FOUND: "username" }}
      command={(values) => ({
        method: "POST",
        path: `/api/v1/containers/${containerId}/permissions`,
        body: bodyOf(values),
        berth: [
          ...["permissions", "grant", containerId, values.username || "…"],
          ...options("service", bodyOf(values).services ?? []),
          ...option("expires", bodyOf(values).expires_at),
        ],
      })}
    >
      <Field label="User name" name="username" isRequired autoFocus />
      <fieldset className="choices">
        <legend>May use</legend>
        {SERVICES.map((service) => (
          <CheckField key={service} name={`service-${service}`} label={service} defaultChecked />
        ))}
      </fieldset>
      <Field
        label="Ends on"
        name="expires_at"
        type="datetime-local"
        hint="Empty: until you end it. What is open then is closed."
      />
    </Form>
  </Dialog>
);

interface EndProps {
  readonly containerId: string;
  readonly permission: Permission;
  readonly onClose: () => void;
}

const End = ({ containerId, permission: { id: user_id, username }, onClose }: EndProps) => (
  <Confirm
    title={`End the permission of ${username}?`}
    action="End it"
    isDangerous
    onClose={onClose}
    command={{
      method: "DELETE",
      path: `/api/v1/containers/${containerId}/permissions/${user_id}`,
      berth: ["permissions", "revoke", containerId, username],
    }}
    onConfirm={() =>
      perform(
        `${username} may not enter any more`,
        () =>
          api.DELETE("/api/v1/containers/{id}/permissions/{user_id}", {
            params: { path: { id: containerId, user_id } },
          }),
        ["containers", containerId],
      )
    }
  >
    <p>What {username} has open in the container is closed.</p>
  </Confirm>
);
