import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../actors/platform/ids.ts";
import { ShareFiles, type ShareKind } from "../../../agents/containers/volumes/share-files.ts";
import { run } from "../../../agents/exec/command.ts";
import { type ShareRecord, shareStore } from "../../../agents/reconciler/share-store.ts";
import { backup } from "../../../scripts/backup/backup.ts";
import { restore } from "../../../scripts/backup/restore.ts";
import { lacks } from "../../agents/requirements.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { until } from "../../harness/until.ts";

/** The backup of a machine that is only a host, as `berth agent join` leaves it: the database is elsewhere. */

const SIZE = 16 * 2 ** 20;
const data = temporaryFolder();
afterAll(() => until(async () => !(await run(["losetup", "--list"])).includes(data)));

const recordOf = (id: string, kind: ShareKind): ShareRecord => ({
  ...{ id, kind, size_bytes: SIZE, used_bytes: 0, snapshots: [], restored: null },
  desired: {
    ...{ revision: 1, server_name: "node-1", id, project_id: newId(), state: "present" as const },
    ...{ size_bytes: SIZE, snapshots: [], restore: null },
  },
});

/** Runs a line of shell while the disk of a share is mounted at `mount`; nobody else sees it. */
const onDisk = (home: string, line: string) =>
  run([
    "unshare",
    "--mount",
    "sh",
    "-ec",
    `cd ${home}; mkdir -p mount; mount -o loop disk.img mount; ${line}`,
  ]);

test.skipIf(lacks("root", "unshare"))(
  "storage shares come back with their files, owners and modes",
  async () => {
    writeFileSync(join(data, "agent.creds"), "the host's own key", { mode: 0o600 });
    const store = shareStore(data);
    const [onFolder, disk] = [newId(), newId()];
    for (const id of [onFolder, disk]) mkdirSync(store.folder(id), { recursive: true });
    const folderFiles = new ShareFiles(store.folder(onFolder), false);
    await store.save(recordOf(onFolder, await folderFiles.create(SIZE)));
    await run([
      "sh",
      "-ec",
      `cd ${store.folder(onFolder)}/data; echo kept >file; chown 1000:1001 file; chmod 640 file`,
    ]);
    // Where a machine has no loop devices this is a folder as well.
    const kind = await new ShareFiles(store.folder(disk), true).create(SIZE);
    await store.save(recordOf(disk, kind));
    if (kind === "disk") await onDisk(store.folder(disk), "echo on a disk >mount/data/file");

    const target = join(temporaryFolder(), "host.tar");
    const said: string[] = [];
    expect(await backup({ BERTH_DATA: data }, (line) => said.push(line), [target])).toBe(true);
    expect(said).toContain("storage shares of this machine: 2");
    const place = join(temporaryFolder(), "place");
    expect(await restore({ BERTH_DATA: place }, () => {}, [target])).toBe(true);

    expect(readFileSync(join(place, "agent.creds"), "utf8")).toBe("the host's own key");
    const restored = shareStore(place);
    const file = join(restored.folder(onFolder), "data/file");
    expect(readFileSync(file, "utf8")).toBe("kept\n");
    expect(statSync(file)).toMatchObject({ uid: 1000, gid: 1001, mode: 0o100640 });
    expect(JSON.parse(readFileSync(join(restored.folder(disk), "state.json"), "utf8"))).toMatchObject({
      id: disk,
      kind,
    });
    if (kind === "disk")
      expect(await onDisk(restored.folder(disk), "cat mount/data/file")).toBe("on a disk\n");
  },
);
