import { useState } from "react";
import { BerthError } from "../../lib/api.ts";
import { messageOf } from "../../lib/messages.ts";
import { Button } from "../../ui/button.tsx";
import { Status } from "../../ui/status.tsx";
import { sendFile } from "./file-service.ts";

interface Upload {
  readonly key: string;
  readonly folder: string;
  readonly file: File;
  /** Of 1. */
  readonly share: number;
  readonly outcome?: string | undefined;
  readonly isFailed?: boolean;
  /** There is a file of its name, which it may replace. */
  readonly isTaken?: boolean;
}

/** Sends files one after the other, and remembers how far each is. */
export function useUploads(containerId: string, folder: string, onStored: () => void) {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const [stored, setStored] = useState({ folder, at: 0 });
  const change = (key: string, changed: Partial<Upload>) =>
    setAll((uploads) => uploads.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const sendOne = async ({ key, folder, file }: Upload, replaces: boolean) => {
    const progress = (share: number) => change(key, { share });
    try {
      await sendFile(containerId, folder, file, { progress, replaces });
      change(key, { share: 1, outcome: "stored" });
      setStored({ folder, at: Date.now() });
      onStored();
    } catch (error) {
      const isTaken = error instanceof BerthError && (error.code as string) === "FILE_EXISTS";
      change(key, { outcome: messageOf(error), isFailed: true, isTaken });
    }
  };
  const send = async (files: readonly File[]) => {
    const added = files.map((file) => ({ key: crypto.randomUUID(), folder, file, share: 0 }));
    setAll((uploads) => [...uploads.filter(({ isTaken }) => !isTaken), ...added]);
    for (const one of added) await sendOne(one, false);
  };
  const replace = async (upload: Upload) => {
    change(upload.key, { share: 0, outcome: undefined, isFailed: false, isTaken: false });
    await sendOne(upload, true);
  };
  return {
    all,
    /** When the newest was stored in the folder: a list that is older lacks it. */
    storedAt: stored.folder === folder ? stored.at : 0,
    send: (files: readonly File[]) => void send(files),
    replace: (upload: Upload) => void replace(upload),
    /** Whoever goes on to something else does not want to replace a file. */
    forgetTaken: () => setAll((uploads) => uploads.filter(({ isTaken }) => !isTaken)),
  };
}

export const Uploads = ({ uploads: { all, replace } }: { uploads: ReturnType<typeof useUploads> }) => (
  <ul className="uploads" aria-live="polite" aria-label="Uploads">
    {all.map((upload) => {
      const { key, file, share, outcome, isFailed = false, isTaken = false } = upload;
      return (
        <li key={key}>
          <span>{file.name}</span>
          {outcome === undefined ? (
            <progress max={1} value={share} aria-label={`${file.name}: sent`} />
          ) : (
            <Status tone={isFailed ? "bad" : "good"}>{outcome}</Status>
          )}
          {isTaken && (
            <Button aria-label={`Replace ${file.name}`} onPress={() => replace(upload)}>
              Replace it
            </Button>
          )}
        </li>
      );
    })}
  </ul>
);
