import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { api, dataOf } from "../../lib/api.ts";
import { option, sizeWord } from "../../lib/commands.ts";
import { formatBytes } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { useContainers } from "../../lib/reads.ts";
import { serverOf, useReadOnlyPool } from "../../lib/servers.ts";
import { toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Facts, Loaded, PageHead, RoleNote, Section } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { Table } from "../../ui/table.tsx";
import { ContainerStatus } from "../containers/states.tsx";
import { ProjectLink } from "../projects/project-link.tsx";
import { SizeField, sizeOf } from "./size-field.tsx";
import { Snapshots } from "./snapshots.tsx";
import { type Share, ShareStatus, ShareUse } from "./states.tsx";

/** One storage share: its size, which containers use it, and its snapshots. */
export default function SharePage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useQuery({
    queryKey: ["storage", id],
    queryFn: () => dataOf(api.GET("/api/v1/storage-shares/{id}", { params: { path: { id } } })),
  });
  return (
    <Loaded query={query} rows={6}>
      {(share) => <OneShare share={share} />}
    </Loaded>
  );
}

function OneShare({ share }: { share: Share }) {
  const [opened, setOpened] = useState<"change" | "delete">();
  const close = () => setOpened(undefined);
  const pool = useReadOnlyPool(share.server_id);
  const isReadOnly = pool !== undefined;
  const isRestoring = share.restoring_snapshot_id !== null;
  const wasRestoring = useRef(isRestoring);
  useEffect(() => {
    if (wasRestoring.current && !isRestoring) toast(`The files of ${share.name} are restored`);
    wasRestoring.current = isRestoring;
  }, [isRestoring, share.name]);
  return (
    <>
      <PageHead
        title={share.name}
        under={{ title: "Storage", to: "/storage" }}
        status={<ShareStatus share={share} />}
      >
        <Button isDisabled={isReadOnly} onPress={() => setOpened("change")}>
          Grow or rename
        </Button>
        <Button look="risky" isDisabled={isReadOnly} onPress={() => setOpened("delete")}>
          Delete
        </Button>
      </PageHead>
      <RoleNote pool={pool} />
      {share.error !== null && <ErrorNote error={new Error(share.error)} />}
      <section className="panel" aria-label="Details">
        <Facts
          facts={[
            ["In use", <ShareUse key="use" share={share} />],
            ["Size", sizeInWords(share)],
            ["Server", serverOf(share)],
            ["Project", <ProjectLink key="project" id={share.project_id} />],
            ["Created", <When key="created" at={share.created_at} />],
            ["Id", <Copyable key="id" text={share.id} label="the id" />],
          ]}
        />
      </section>
      <Section title="Containers with it">
        <MountedIn share={share} />
      </Section>
      <Snapshots share={share} isReadOnly={isReadOnly} />
      {opened === "change" && <ChangeShare share={share} onClose={close} />}
      {opened === "delete" && <DeleteShare share={share} onClose={close} />}
    </>
  );
}

function sizeInWords({ size_bytes, applied_size_bytes, enforced }: Share): string {
  const size = formatBytes(size_bytes);
  if (applied_size_bytes !== null && applied_size_bytes !== size_bytes)
    return `${size}; its host has given it ${formatBytes(applied_size_bytes)} so far`;
  return enforced === false ? `${size}, which its host measures and does not limit` : size;
}

/** All containers that have the share among their volumes, and those that run with it until they are restarted. */
function MountedIn({ share: { id, mounted_by } }: { share: Share }) {
  const containers = useContainers();
  return (
    <Loaded query={containers}>
      {({ containers: all }) => {
        const has = ({ volumes }: (typeof all)[number]) => volumes.some(({ share_id }) => share_id === id);
        const users = all.filter((container) => has(container) || mounted_by.includes(container.id));
        if (users.length === 0)
          return (
            <p className="hint">
              None yet. Choose it on the page of a container, under Volumes, or when you create one.
            </p>
          );
        return (
          <Table
            caption="Containers with this storage share"
            rows={users}
            keyOf={(container) => container.id}
            linkOf={(container) => `/containers/${container.id}/volumes`}
            columns={[
              { title: "Container", cell: ({ name }) => name },
              { title: "State", cell: (container) => <ContainerStatus container={container} /> },
              {
                title: "Appears at",
                cell: ({ volumes }) => (
                  <code>
                    {volumes
                      .filter(({ share_id }) => share_id === id)
                      .map(({ path }) => path)
                      .join(", ")}
                  </code>
                ),
              },
              {
                title: "Now",
                cell: (container) => {
                  if (!mounted_by.includes(container.id)) return "not mounted";
                  return has(container) ? "mounted" : "mounted until it is restarted";
                },
              },
            ]}
          />
        );
      }}
    </Loaded>
  );
}

interface ActProps {
  readonly share: Share;
  readonly onClose: () => void;
}

function ChangeShare({ share, onClose }: ActProps) {
  const path = `/api/v1/storage-shares/${share.id}`;
  const body = (values: Values) => ({
    ...(values.name === share.name ? {} : { name: values.name ?? "" }),
    ...(sizeOf(values) === share.size_bytes ? {} : { size_bytes: sizeOf(values) }),
  });
  const change = async (values: Values) => {
    if (Object.keys(body(values)).length > 0)
      await perform(
        "The storage share is changed",
        () =>
          api.PATCH("/api/v1/storage-shares/{id}", {
            params: { path: { id: share.id } },
            body: body(values),
          }),
        ["storage"],
      );
    onClose();
  };
  return (
    <Dialog title={`Change ${share.name}`} onClose={onClose}>
      <Form
        submit="Save"
        onSubmit={change}
        fieldOf={{ NAME_TAKEN: "name", SERVER_STORAGE_EXCEEDED: "size" }}
        command={(values) => ({
          method: "PATCH",
          path,
          body: body(values),
          berth: [
            ...["share", "update", share.name],
            ...option("name", body(values).name),
            ...option("size", sizeWord(body(values).size_bytes)),
          ],
        })}
      >
        <Field label="Name" name="name" defaultValue={share.name} isRequired maxLength={63} autoFocus />
        <SizeField
          label="Size"
          defaultBytes={share.size_bytes}
          hint="It grows while containers run, where its host can. It does not shrink."
        />
      </Form>
    </Dialog>
  );
}

function DeleteShare({ share: { id, name, snapshot_count, mounted_by }, onClose }: ActProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Delete the storage share ${name}?`}
      action="Delete the storage share"
      isDangerous
      isDisabled={mounted_by.length > 0}
      onClose={onClose}
      command={{ method: "DELETE", path: `/api/v1/storage-shares/${id}`, berth: ["share", "delete", name] }}
      onConfirm={async () => {
        await api.DELETE("/api/v1/storage-shares/{id}", { params: { path: { id } } });
        toast(`${name} is deleted`);
        await navigate({ to: "/storage" as "." });
        await refresh(["storage", "list"]);
      }}
    >
      <p>
        Its files{snapshot_count > 0 ? " and its snapshots" : ""} are deleted. This cannot be undone. It is
        refused while a container has it among its volumes.
      </p>
      {mounted_by.length > 0 && <p>Containers run with it: restart or stop them first.</p>}
    </Confirm>
  );
}
