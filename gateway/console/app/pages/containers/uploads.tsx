import { useState } from "react";
import { messageOf } from "../../lib/messages.ts";
import { Status } from "../../ui/status.tsx";
import { sendFile } from "./file-service.ts";

interface Upload {
  readonly key: string;
  readonly name: string;
  /** Of 1. */
  readonly share: number;
  readonly outcome?: string;
  readonly isFailed?: boolean;
}

/** Sends files one after the other, and remembers how far each is. */
export function useUploads(containerId: string, folder: string, onStored: () => void) {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const change = (key: string, changed: Partial<Upload>) =>
    setAll((uploads) => uploads.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const send = async (files: readonly File[]) => {
    const added = files.map((file) => ({ key: crypto.randomUUID(), file }));
    setAll((uploads) => [...uploads, ...added.map(({ key, file }) => ({ key, name: file.name, share: 0 }))]);
    for (const { key, file } of added) {
      try {
        await sendFile(containerId, folder, file, (share) => change(key, { share }));
        change(key, { share: 1, outcome: "stored" });
        onStored();
      } catch (error) {
        change(key, { outcome: messageOf(error), isFailed: true });
      }
    }
  };
  return { all, send: (files: readonly File[]) => void send(files) };
}

export const Uploads = ({ uploads }: { uploads: readonly Upload[] }) => (
  <ul className="uploads" aria-live="polite" aria-label="Uploads">
    {uploads.map(({ key, name, share, outcome, isFailed = false }) => (
      <li key={key}>
        <span>{name}</span>
        {outcome === undefined ? (
          <progress max={1} value={share} aria-label={`${name}: sent`} />
        ) : (
          <Status tone={isFailed ? "bad" : "good"}>{outcome}</Status>
        )}
      </li>
    ))}
  </ul>
);
