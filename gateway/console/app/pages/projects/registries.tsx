import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { perform } from "../../lib/perform.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Credential = Schemas["RegistryCredential"];

/** What hosts sign in with to pull the images of a project from private registries. */
export function ProjectRegistries({ projectId }: { projectId: string }) {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Credential>();
  const query = useQuery({
    queryKey: keyOf(projectId),
    queryFn: () =>
      dataOf(api.GET("/api/v1/projects/{id}/registry-credentials", { params: { path: { id: projectId } } })),
  });
  return (
    <Section
      title="Private registries"
      actions={
        <Button icon="plus" onPress={() => setAdding(true)}>
          Add a registry
        </Button>
      }
    >
      <Loaded query={query}>
        {({ registry_credentials: credentials }) =>
          credentials.length === 0 ? (
            <p className="hint">
              No registries yet. Public images need none. For a private one, add its registry with a user and
              a password or an access token: hosts use it for containers of this project alone.
            </p>
          ) : (
            <Table
              caption="Registries"
              columns={columnsOf(setRemoved)}
              rows={credentials}
              keyOf={({ registry }) => registry}
            />
          )
        }
      </Loaded>
      {isAdding && <SetRegistry projectId={projectId} onClose={() => setAdding(false)} />}
      {removed && (
        <RemoveRegistry projectId={projectId} credential={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  );
}

const keyOf = (projectId: string) => ["projects", projectId, "registries"] as const;

const columnsOf = (onRemove: (credential: Credential) => void): readonly Column<Credential>[] => [
  { title: "Registry", cell: ({ registry }) => <strong>{registry}</strong> },
  { title: "User", cell: ({ username }) => username },
  { title: "Changed", cell: ({ updated_at }) => <When at={updated_at} /> },
  {
    title: "Remove",
    isActions: true,
    cell: (credential) => (
      <Button look="remove" aria-label={`Remove ${credential.registry}`} onPress={() => onRemove(credential)}>
        Remove
      </Button>
    ),
  },
];

const pathOf = (projectId: string, registry: string) =>
  `/api/v1/projects/${projectId}/registry-credentials/${encodeURIComponent(registry)}`;

/** The password goes to the API, and is never shown again. */
function SetRegistry({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  return (
    <Dialog title="Add a registry" onClose={onClose}>
      <Form
        submit="Save the credential"
        fieldOf={{ QUOTA_EXCEEDED: "registry" }}
        onSubmit={async ({ registry = "", username = "", password = "" }) => {
          await dataOf(
            api.PUT("/api/v1/projects/{id}/registry-credentials/{registry}", {
              params: { path: { id: projectId, registry } },
              body: { username, password },
            }),
          );
          await refresh(keyOf(projectId));
          toast(`Images of ${registry} are pulled as ${username}`);
          onClose();
        }}
        command={({ registry = "", username = "" }) => ({
          method: "PUT",
          path: pathOf(projectId, registry || "…"),
          body: { username, password: "…" },
          berth: ["projects", "registries", "set", projectId, registry || "…", "--username", username || "…"],
        })}
      >
        <Field
          label="Registry"
          name="registry"
          maxLength={260}
          isRequired
          autoFocus
          placeholder="ghcr.io"
          hint="Its host, with the port if it has one. Docker Hub is docker.io. One that is there already gets the new credential."
        />
        <Field label="User" name="username" maxLength={255} isRequired autoComplete="off" />
        <Field
          label="Password or access token"
          name="password"
          type="password"
          maxLength={8192}
          isRequired
          autoComplete="off"
          hint="It is stored encrypted and never shown again."
        />
      </Form>
    </Dialog>
  );
}

interface RemoveProps {
  readonly projectId: string;
  readonly credential: Credential;
  readonly onClose: () => void;
}

const RemoveRegistry = ({ projectId, credential: { registry }, onClose }: RemoveProps) => (
  <Confirm
    title={`Remove the credential for ${registry}?`}
    action="Remove the credential"
    isDangerous
    onClose={onClose}
    onConfirm={() =>
      perform(
        `The credential for ${registry} is removed`,
        () =>
          api.DELETE("/api/v1/projects/{id}/registry-credentials/{registry}", {
            params: { path: { id: projectId, registry } },
          }),
        keyOf(projectId),
      )
    }
    command={{
      method: "DELETE",
      path: pathOf(projectId, registry),
      berth: ["projects", "registries", "remove", projectId, registry],
    }}
  >
    <p>New containers cannot pull private images of it any more. Containers that have their image keep it.</p>
  </Confirm>
);
