import { useNavigate, useSearch } from "@tanstack/react-router";
import { useShares } from "../../lib/reads.ts";
import { serverOf } from "../../lib/servers.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, PageHead } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateShare } from "./create-share.tsx";
import { type Share, ShareStatus, ShareUse } from "./states.tsx";

const COLUMNS: readonly Column<Share>[] = [
  { title: "Name", cell: ({ name }) => name },
  { title: "State", cell: (share) => <ShareStatus share={share} /> },
  { title: "In use", cell: (share) => <ShareUse share={share} /> },
  { title: "Server", cell: serverOf },
  { title: "Mounted by", cell: ({ mounted_by }) => mounted_by.length, isFigure: true },
  { title: "Snapshots", cell: ({ snapshot_count }) => snapshot_count, isFigure: true },
  { title: "Created", cell: ({ created_at }) => <When at={created_at} />, isFigure: true },
];

/** The storage shares that the user reaches: files that outlive containers. */
export default function StoragePage() {
  const shares = useShares();
  const navigate = useNavigate();
  const { create } = useSearch({ strict: false }) as { create?: boolean };
  const show = (search: object) => void navigate({ to: ".", search: search as never, replace: true });
  return (
    <>
      <PageHead title="Storage">
        <Button look="primary" icon="plus" onPress={() => show({ create: true })}>
          Create a storage share
        </Button>
      </PageHead>
      <Loaded query={shares}>
        {({ storage_shares: all }) =>
          all.length === 0 ? (
            <Empty
              icon="storage"
              title="No storage shares yet"
              action={<Button onPress={() => show({ create: true })}>Create the first share</Button>}
            >
              A container's own files go with it. What shall stay belongs in a storage share: a part of a
              server's disk with a size limit, snapshots, and as many containers as use it.
            </Empty>
          ) : (
            <Table
              caption="Storage shares"
              columns={COLUMNS}
              rows={all}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/storage/${id}`}
            />
          )
        }
      </Loaded>
      {create && <CreateShare onClose={() => show({})} />}
    </>
  );
}
