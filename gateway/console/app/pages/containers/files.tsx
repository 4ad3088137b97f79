import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { refresh } from "../../lib/actions.ts";
import { BerthError } from "../../lib/api.ts";
import { formatBytes } from "../../lib/format.ts";
import { useFilters } from "../../lib/lists.ts";
import { messageOf } from "../../lib/messages.ts";
import { toast } from "../../lib/toasts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Empty, Loaded, Skeleton } from "../../ui/page.tsx";
import { When } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { DeleteFile, folderOf, NewFolder, RenameFile, textOf } from "./change-file.tsx";
import { enteredFrame, type FileEntry, readFolder, Unreachable } from "./file-service.ts";
import { NotReached } from "./not-reached.tsx";
import type { Container } from "./states.tsx";
import { Uploads, useUploads } from "./uploads.tsx";

/** Files that could not be read are asked for again this often: the network may be back, or the certificate accepted in another tab. */
const AGAIN_MS = 5_000;

type Opened = { readonly kind: "folder" } | { readonly kind: "rename" | "delete"; readonly entry: FileEntry };

/** The container's files: to look through, to take out, to put in, and to change. */
export default function Files({ container }: { container: Container }) {
  const { id, name, state } = container;
  const [{ path: asked = "/" }, change] = useFilters(["path"]);
  const [opened, setOpened] = useState<Opened>();
  const path = asked.startsWith("/") ? asked : "/";
  const query = useQuery({
    queryKey: ["containers", id, "files", path],
    queryFn: () => readFolder(id, path),
    enabled: state === "running",
    retry: false,
    refetchInterval: ({ state: { error } }) =>
      error === null || error instanceof BerthError ? false : AGAIN_MS,
  });
  const uploads = useUploads(id, path, () => void refresh(["containers", id, "files", path]));
  if (state !== "running")
    return (
      <Empty icon="container" title={`${name} does not run`}>
        Programs in the container read its files: start it to see them.
      </Empty>
    );
  if (query.data === undefined && query.error instanceof Unreachable)
    return (
      <NotReached
        container={container}
        what="files"
        isCertificateLikely={query.error.isCertificateLikely}
        onRetry={() => void query.refetch()}
      />
    );
  const place = { container, folder: folderOf(path), onClose: () => setOpened(undefined) };
  return (
    <section
      aria-label={`Files in ${textOf(path)}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        uploads.send([...event.dataTransfer.files]);
      }}
      onClickCapture={({ target }) => {
        if (!(target as Element).closest(".uploads")) uploads.forgetTaken();
      }}
    >
      <div className="bar">
        <Path path={path} onOpen={(to) => change({ path: to })} />
        <Button onPress={() => setOpened({ kind: "folder" })}>New folder</Button>
        <Choose onChoose={uploads.send} />
      </div>
      <Uploads uploads={uploads} />
      {query.data && query.error && (
        <ErrorNote error={query.error}>
          <Button look="quiet" onPress={() => query.refetch()}>
            Try again
          </Button>
        </ErrorNote>
      )}
      <Loaded query={query}>
        {({ entries, truncated }) =>
          entries.length === 0 && uploads.storedAt > query.dataUpdatedAt ? (
            <Skeleton />
          ) : entries.length === 0 ? (
            <Empty icon="storage" title="This folder is empty">
              Upload a file, drop one here, or write one in the terminal.
            </Empty>
          ) : (
            <>
              <Table
                caption={`Files in ${textOf(path)}`}
                isDense
                columns={columnsFor((entry) => void open(container, path, entry, change), setOpened)}
                rows={entries.toSorted(byKindAndName)}
                keyOf={({ address }) => address}
              />
              {truncated && <p className="hint">This folder holds more than can be shown.</p>}
            </>
          )
        }
      </Loaded>
      {opened?.kind === "folder" && <NewFolder {...place} />}
      {opened?.kind === "rename" && <RenameFile {...place} entry={opened.entry} />}
      {opened?.kind === "delete" && <DeleteFile {...place} entry={opened.entry} />}
    </section>
  );
}

async function open(
  { id, name }: Container,
  path: string,
  entry: FileEntry,
  change: (changed: { path: string }) => void,
): Promise<void> {
  const to = `${folderOf(path)}${entry.address}`;
  if (entry.type === "folder") return change({ path: to });
  try {
    await enteredFrame(id, to);
    toast(`${entry.name} of ${name} is being downloaded`);
  } catch (error) {
    toast(messageOf(error), "failed");
  }
}

const columnsFor = (
  onOpen: (entry: FileEntry) => void,
  onChange: (opened: Opened) => void,
): readonly Column<FileEntry>[] => [
  {
    title: "Name",
    cell: (entry) =>
      entry.type === "other" ? (
        entry.name
      ) : (
        <button
          type="button"
          className="file-name"
          aria-label={entry.type === "folder" ? `Open ${entry.name}` : `Download ${entry.name}`}
          onClick={() => onOpen(entry)}
        >
          {entry.name}
          {entry.type === "folder" ? "/" : ""}
          {entry.link ? " ↪" : ""}
        </button>
      ),
  },
  { title: "Size", cell: ({ type, size }) => (type === "file" ? formatBytes(size) : "–"), isFigure: true },
  {
    title: "Changed",
    cell: ({ modified }) => (Date.parse(modified) > 0 ? <When at={modified} /> : "–"),
    isFigure: true,
  },
  {
    title: "Change",
    isActions: true,
    cell: (entry) => (
      <>
        <Button
          look="quiet"
          aria-label={`Rename ${entry.name}`}
          onPress={() => onChange({ kind: "rename", entry })}
        >
          Rename
        </Button>
        <IconButton
          look="remove"
          label={`Delete ${entry.name}`}
          onPress={() => onChange({ kind: "delete", entry })}
        />
      </>
    ),
  },
];

const byKindAndName = (a: FileEntry, b: FileEntry): number =>
  a.type === b.type ? a.name.localeCompare(b.name) : a.type === "folder" ? -1 : b.type === "folder" ? 1 : 0;

/** The way to the folder, each step of it a way back. The path is as it is written in an address. */
function Path({ path, onOpen }: { path: string; onOpen: (path: string) => void }) {
  const steps = path.split("/").filter((step) => step !== "");
  return (
    <nav className="path" aria-label="Folder">
      <Button look="quiet" aria-label="Open the root folder" onPress={() => onOpen("/")}>
        /
      </Button>
      {steps.map((step, index) => (
        <Button
          key={steps.slice(0, index + 1).join("/")}
          look="quiet"
          onPress={() => onOpen(`/${steps.slice(0, index + 1).join("/")}`)}
        >
          {textOf(step)}
        </Button>
      ))}
    </nav>
  );
}

function Choose({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [key, setKey] = useState(0);
  return (
    <>
      <Button look="primary" icon="plus" onPress={() => input.current?.click()}>
        Upload files
      </Button>
      <input
        key={key}
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          setKey(key + 1);
        }}
      />
    </>
  );
}
