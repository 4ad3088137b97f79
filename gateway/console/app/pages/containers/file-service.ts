import { api, BerthError, dataOf } from "../../lib/api.ts";
import { HAS_OWN_AUTHORITY } from "../../lib/installation.ts";
import { entranceTo, urlOf } from "./enter.ts";

/** What a folder holds, as the container's host says it. */
export interface FileEntry {
  readonly name: string;
  /** The name as it is written in an address. */
  readonly address: string;
  readonly type: "file" | "folder" | "other";
  readonly link: boolean;
  readonly size: number;
  readonly modified: string;
}

interface Folder {
  readonly entries: readonly FileEntry[];
  readonly truncated: boolean;
}

/** A token is good for five minutes. */
const TOKEN_MS = 4 * 60_000;
/** A download has begun by then; its frame is of no more use. */
const FRAME_MS = 60_000;

const tokens = new Map<string, { readonly at: number; readonly access: Promise<Access> }>();

interface Access {
  readonly token: string;
  readonly url: string;
}

/** The address of a container's files and a token for it. */
function accessTo(containerId: string): Promise<Access> {
  const known = tokens.get(containerId);
  if (known !== undefined && Date.now() - known.at < TOKEN_MS) return known.access;
  const access = dataOf(
    api.POST("/api/v1/containers/{id}/access", { params: { path: { id: containerId } } }),
  ).then(({ access_token, urls }) => ({ token: access_token, url: `${urlOf(urls, "terminal")}/files` }));
  tokens.set(containerId, { at: Date.now(), access });
  access.catch(() => tokens.delete(containerId));
  return access;
}

/** @param path as it is written in an address. @throws Error in words */
export async function readFolder(containerId: string, path: string): Promise<Folder> {
  const response = await ask(containerId, path, "GET");
  return response.json();
}

async function ask(containerId: string, path: string, method: string): Promise<Response> {
  const { token, url } = await accessTo(containerId);
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const response = await fetch(`${url}${path}`, { method, headers }).catch(() => {
    throw new Unreachable(url);
  });
  reached.add(url);
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text());
}

/** Makes a folder. @param path of the new one, as it is written in an address @throws Error */
export const makeFolder = (containerId: string, path: string) =>
  ask(containerId, `${path}?action=mkdir`, "POST");

/** Renames or moves a file or a folder. @param to the new path as text @throws Error */
export const moveFile = (containerId: string, path: string, to: string) =>
  ask(containerId, `${path}?${new URLSearchParams({ action: "move", to })}`, "POST");

/** Deletes a file, or a folder with all that is in it. @throws Error */
export const deleteFile = (containerId: string, path: string) =>
  ask(containerId, `${path}?recursive=true`, "DELETE");

/** What has answered: the browser trusts its certificate. */
const reached = new Set<string>();

/** No answer came. Browsers do not tell pages why. */
export class Unreachable extends Error {
  /** Otherwise the connection or the host is down, which passes. */
  readonly isCertificateLikely: boolean;

  constructor(url: string) {
    const isCertificateLikely = HAS_OWN_AUTHORITY && navigator.onLine && !reached.has(url);
    super(
      `The container's files cannot be reached. ${
        isCertificateLikely
          ? `If your browser does not trust the certificate of ${new URL(url).host}, open the terminal in a tab once and accept the certificate there.`
          : "Check the connection."
      }`,
    );
    this.isCertificateLikely = isCertificateLikely;
  }
}

/** Downloads a file: in a frame that nobody sees, so that it goes to the disk as it arrives, however large it is. */
export async function enteredFrame(containerId: string, path: string): Promise<void> {
  await ask(containerId, path, "HEAD");
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.src = await entranceTo(containerId, "terminal", "", `/files${path}`);
  document.body.append(frame);
  setTimeout(() => frame.remove(), FRAME_MS);
}

interface Sending {
  readonly progress: (share: number) => void;
  /** Whether it may take the place of a file that is there. */
  readonly replaces: boolean;
}

/** Sends a file to a folder, and says how far it is. @throws Error in words; BerthError with the code FILE_EXISTS where one is there */
export async function sendFile(
  containerId: string,
  folder: string,
  file: File,
  { progress, replaces }: Sending,
): Promise<void> {
  const { token, url } = await accessTo(containerId);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // `fetch` does not say how much of a body was sent.
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ name: file.name, replace: String(replaces) });
  request.open("PUT", `${url}${folder}?${query}`);
  request.setRequestHeader("Authorization", `Bearer ${token}`);
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
  request.onerror = () => reject(new Unreachable(url));
  request.onload = () => {
    reached.add(url);
    request.status === 201 ? resolve() : reject(refusalOf(request.status, request.responseText));
  };
  request.send(file);
  return promise;
}

/** The host answers in words, or as the API does. Its 401 is about the container's token, and not about the session. */
function refusalOf(status: number, text: string): Error {
  try {
    const { message, code } = JSON.parse(text);
    return status === 401 ? new Error(message) : new BerthError(message, status, code, {}, null);
  } catch {
    return new Error(text.trim() || `The container's host says: ${status}`);
  }
}
