import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf, type Schemas } from "../../lib/api.ts";
import { option } from "../../lib/commands.ts";
import { formatBytes, formatDateTime } from "../../lib/format.ts";
import { perform } from "../../lib/perform.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded, Section } from "../../ui/page.tsx";
import { Status, When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ScheduleInWords, ScheduleSnapshots } from "./schedule.tsx";
import type { Share } from "./states.tsx";

type Snapshot = Schemas["StorageSnapshot"];

/** Something that is asked before it is done to a snapshot. */
interface Asked {
  readonly what: "restore" | "delete";
  readonly snapshot: Snapshot;
}

/** The kept states of a share, to which it can go back. */
export function Snapshots({ share, isReadOnly }: { share: Share; isReadOnly: boolean }) {
  const [takes, setTakes] = useState(false);
  const [schedules, setSchedules] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const query = useQuery({
    // Below the share's own key, which each of its events makes stale.
    queryKey: ["storage", share.id, "snapshots"],
    queryFn: () =>
      dataOf(api.GET("/api/v1/storage-shares/{id}/snapshots", { params: { path: { id: share.id } } })),
  });
  return (
    <Section
      title="Snapshots"
      actions={
        <>
          <Button isDisabled={isReadOnly} onPress={() => setSchedules(true)}>
            Schedule
          </Button>
          <Button
            icon="plus"
            isDisabled={isReadOnly || share.state !== "ready"}
            onPress={() => setTakes(true)}
          >
            Take a snapshot
          </Button>
        </>
      }
    >
      <ScheduleInWords share={share} />
      <Loaded query={query}>
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <Empty icon="storage" title="No snapshots yet">
              A snapshot keeps the files as they are now, on the same disk: it protects from mistakes, and not
              from the loss of the disk.
            </Empty>
          ) : (
            <Table
              caption="Snapshots"
              columns={columnsFor(setAsked, isReadOnly)}
              rows={snapshots}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {takes && <TakeSnapshot share={share} onClose={() => setTakes(false)} />}
      {schedules && <ScheduleSnapshots share={share} onClose={() => setSchedules(false)} />}
      {asked && <AskedAct share={share} {...asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

const TONES = { creating: "busy", ready: "good", error: "bad" } as const;

/** One without a name of its own has the moment as its name, to the millisecond. */
const nameOf = ({ name }: Snapshot): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(name) ? formatDateTime(name) : name;

const columnsFor = (ask: (asked: Asked) => void, isReadOnly: boolean): readonly Column<Snapshot>[] => [
  { title: "Name", cell: nameOf },
  {
    title: "State",
    cell: ({ state, error }) => (
      <Status tone={TONES[state]}>{error === null ? state : `${state}: ${error}`}</Status>
    ),
  },
  { title: "Files", cell: ({ bytes }) => (bytes === null ? "–" : formatBytes(bytes)), isFigure: true },
  { title: "Taken", cell: ({ scheduled }) => (scheduled ? "by schedule" : "by hand") },
  { title: "When", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
  {
    title: "Change",
    isActions: true,
    cell: (snapshot) => (
      <>
        <Button
          look="quiet"
          isDisabled={isReadOnly || snapshot.state !== "ready"}
          aria-label={`Restore ${nameOf(snapshot)}`}
          onPress={() => ask({ what: "restore", snapshot })}
        >
          Restore
        </Button>
        <IconButton
          look="remove"
          label={`Delete ${nameOf(snapshot)}`}
          isDisabled={isReadOnly}
          onPress={() => ask({ what: "delete", snapshot })}
        />
      </>
    ),
  },
];

interface ActProps {
  readonly share: Share;
  readonly onClose: () => void;
}

const bodyOf = ({ name = "" }: Values) => (name === "" ? {} : { name });

const TakeSnapshot = ({ share: { id, name }, onClose }: ActProps) => (
  <Dialog title={`Take a snapshot of ${name}`} onClose={onClose}>
    <Form
      submit="Take the snapshot"
      onSubmit={async (values) => {
        const params = { path: { id } };
        await perform(
          "The snapshot has begun",
          () => api.POST("/api/v1/storage-shares/{id}/snapshots", { params, body: bodyOf(values) }),
          ["storage"],
        );
        onClose();
      }}
      command={(values) => ({
        method: "POST",
        path: `/api/v1/storage-shares/${id}/snapshots`,
        body: bodyOf(values),
        berth: ["share", "snapshots", "create", name, ...option("name", values.name)],
      })}
    >
      <Field label="Name" name="name" maxLength={63} autoFocus hint="Empty: the time." />
      <p className="hint">Containers may go on writing: their writes wait while the files are copied.</p>
    </Form>
  </Dialog>
);

function AskedAct({ share, what, snapshot, onClose }: ActProps & Asked) {
  const path = { id: share.id, snapshot_id: snapshot.id };
  const address = `/api/v1/storage-shares/${share.id}/snapshots/${snapshot.id}`;
  if (what === "delete")
    return (
      <Confirm
        title={`Delete the snapshot ${nameOf(snapshot)}?`}
        action="Delete the snapshot"
        isDangerous
        onClose={onClose}
        command={{
          method: "DELETE",
          path: address,
          berth: ["share", "snapshots", "delete", share.name, snapshot.name],
        }}
        onConfirm={() =>
          perform(
            "The snapshot is deleted",
            () => api.DELETE("/api/v1/storage-shares/{id}/snapshots/{snapshot_id}", { params: { path } }),
            ["storage"],
          )
        }
      >
        <p>The files of the share stay as they are.</p>
      </Confirm>
    );
  const isMounted = share.mounted_by.length > 0;
  return (
    <Confirm
      isDisabled={isMounted}
      title={`Restore the snapshot ${nameOf(snapshot)}?`}
      action="Restore the files"
      isDangerous
      onClose={onClose}
      command={{
        method: "POST",
        path: `${address}/restore`,
        berth: ["share", "snapshots", "restore", share.name, snapshot.name],
      }}
      onConfirm={() =>
        perform(
          "The restore has begun",
          () => api.POST("/api/v1/storage-shares/{id}/snapshots/{snapshot_id}/restore", { params: { path } }),
          ["storage"],
        )
      }
    >
      <p>
        The files of {share.name} become what they were. Everything that was written since then is lost: take
        another snapshot first if that matters.
      </p>
      {isMounted && (
        <p>
          Containers that run with it would write into the restored files. Stop them first: the page of the
          share lists them.
        </p>
      )}
    </Confirm>
  );
}
