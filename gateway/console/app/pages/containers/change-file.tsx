import { refresh } from "../../lib/actions.ts";
import { toast } from "../../lib/toasts.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { deleteFile, type FileEntry, makeFolder, moveFile } from "./file-service.ts";
import type { Container } from "./states.tsx";

/** A path as people write it. What is no text in it stays as it is written in an address. */
export function textOf(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const folderOf = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

interface Place {
  readonly container: Container;
  /** The folder, as it is written in an address. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** What is wrong with a name stands beside it. */
const NAME_FIELDS = {
  FILE_EXISTS: "name",
  FILE_NOT_FOUND: "name",
  FILE_NOT_WRITABLE: "name",
  VALIDATION_ERROR: "name",
};

async function changed({ container, onClose }: Place, said: string): Promise<void> {
  await refresh(["containers", container.id, "files"]);
  toast(said);
  onClose();
}

/** The same by a program of the container, which the API runs. */
const byProgram = ({ id, name }: Container, ...command: string[]) => ({
  method: "POST" as const,
  path: `/api/v1/containers/${id}/exec`,
  body: { command },
  berth: ["exec", name, "--", ...command],
});

export function NewFolder(place: Place) {
  const { container, folder } = place;
  return (
    <Dialog title="New folder" onClose={place.onClose}>
      <Form
        submit="Create the folder"
        onSubmit={async ({ name = "" }) => {
          await makeFolder(container.id, folder + encodeURIComponent(name));
          await changed(place, `${name} is created`);
        }}
        fieldOf={NAME_FIELDS}
        command={({ name = "" }) => byProgram(container, "mkdir", textOf(folder) + name)}
      >
        <Field label="Name" name="name" maxLength={255} isRequired autoFocus />
      </Form>
    </Dialog>
  );
}

interface EntryProps extends Place {
  readonly entry: FileEntry;
}

export function RenameFile({ entry, ...place }: EntryProps) {
  const { container, folder } = place;
  const target = (name: string) => (name.startsWith("/") ? name : textOf(folder) + name);
  return (
    <Dialog title={`Rename ${entry.name}`} onClose={place.onClose}>
      <Form
        submit="Rename"
        onSubmit={async ({ name = "" }) => {
          await moveFile(container.id, folder + entry.address, target(name));
          await changed(place, `${entry.name} is renamed`);
        }}
        fieldOf={NAME_FIELDS}
        command={({ name = "" }) =>
          byProgram(container, "mv", "-n", textOf(folder) + entry.name, target(name))
        }
      >
        <Field
          label="New name"
          name="name"
          defaultValue={entry.name}
          maxLength={4095}
          isRequired
          autoFocus
          hint="Or a whole path, such as /srv/other, to move it. Nothing that is there is replaced."
        />
      </Form>
    </Dialog>
  );
}

export function DeleteFile({ entry, ...place }: EntryProps) {
  const { container, folder } = place;
  const isFolder = entry.type === "folder" && !entry.link;
  return (
    <Confirm
      title={`Delete ${entry.name}?`}
      action={isFolder ? "Delete the folder" : "Delete the file"}
      isDangerous
      onClose={place.onClose}
      onConfirm={async () => {
        await deleteFile(container.id, folder + entry.address);
        await changed(place, `${entry.name} is deleted`);
      }}
      command={byProgram(container, "rm", ...(isFolder ? ["-r"] : []), textOf(folder) + entry.name)}
    >
      <p>
        {isFolder
          ? "The folder is deleted with all that is in it."
          : entry.link
            ? "The link is deleted, and not what it leads to."
            : "The file is deleted."}{" "}
        This cannot be undone.
      </p>
    </Confirm>
  );
}
