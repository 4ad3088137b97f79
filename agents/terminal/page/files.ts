import type { Terminal } from "@xterm/xterm";
import { boot } from "./boot.ts";
import { element } from "./element.ts";

/** OSC number by which a program offers a file: `printf '\033]5113;%s\007' "$(realpath FILE | base64 -w0)"`. */
const OFFER = 5113;

const address = (query: string) => `${boot.sessions}/${boot.id}/files?${query}`;

type Say = (text: string, forMs?: number) => void;

/** Uploads files that are dropped on the terminal to the shell's folder. */
export function acceptFiles(screen: HTMLElement, say: Say): void {
  screen.addEventListener("dragover", (event) => {
    event.preventDefault();
    screen.classList.add("dropping");
  });
  for (const over of ["dragleave", "drop"]) {
    screen.addEventListener(over, () => screen.classList.remove("dropping"));
  }
  screen.addEventListener("drop", (event) => {
    event.preventDefault();
    void upload(event.dataTransfer?.files ?? [], say);
  });
}

/** Opens a dialog to choose files. */
export function chooseFiles(say: Say): void {
  const input = element("input", { type: "file", multiple: true });
  input.addEventListener("change", () => void upload(input.files ?? [], say));
  input.click();
}

async function upload(files: Iterable<File>, say: Say): Promise<void> {
  for (const file of files) {
    say(`Sending ${file.name}…`);
    const query = new URLSearchParams({ name: file.name });
    const response = await fetch(address(String(query)), { method: "PUT", body: file }).catch(() => null);
    const { message } = response?.ok ? { message: "" } : await reasonOf(response);
    say(response?.ok ? `${file.name} is there.` : `${file.name}: ${message}`, 4_000);
  }
}

async function reasonOf(response: Response | null): Promise<{ message: string }> {
  const body = (await response?.json().catch(() => null)) as { message?: string } | null | undefined;
  return { message: body?.message ?? "the connection broke off" };
}

/** Downloads a file of the session's machine, by its path relative to the shell's folder. */
export function download(path: string): void {
  const link = element("a", { href: address(String(new URLSearchParams({ path }))), download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Handles a program's offer of a file. Only the person can accept it, and only in the visible window. */
export function takeOffers(terminal: Terminal): void {
  terminal.parser.registerOscHandler(OFFER, (data) => {
    if (!document.hasFocus()) return true;
    try {
      const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
      const path = new TextDecoder().decode(bytes).replace(/\n$/, "");
      // Outside the terminal's parser, which a dialog would block.
      setTimeout(() => {
        if (confirm(`Download ${path}?`)) download(path);
      });
    } catch {
      // Text that is not Base64 is no offer.
    }
    return true;
  });
}
