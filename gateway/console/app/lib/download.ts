import { errorOf } from "../../../../client/errors.ts";
import { accessToken } from "./session.ts";

/** Fetches a file of the API and hands it to the browser: a link could not carry the token. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${await accessToken()}` } });
  if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
