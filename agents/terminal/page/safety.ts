import type { IDisposable, Terminal } from "@xterm/xterm";

/** A program may put this much on the clipboard. */
const CLIPBOARD_CHARS_MAX = 100_000;

/**
 * The server's terminal answers what programs ask; if this one did too, every answer would come once a viewer, and land
 * in the prompt. Handlers that swallow the questions: device attributes, status, modes, settings, colours, windows.
 */
export function answerNothing({ parser }: Terminal): void {
  const swallow = () => true;
  const isQuestion = (data: string) => data.split(";").some((part) => part === "?");
  for (const id of [
    { final: "c" },
    { prefix: ">", final: "c" },
    { prefix: "=", final: "c" },
    { final: "n" },
    { prefix: "?", final: "n" },
    { intermediates: "$", final: "p" },
    { prefix: "?", intermediates: "$", final: "p" },
    { prefix: ">", final: "q" },
    { final: "t" },
  ]) {
    parser.registerCsiHandler(id, swallow);
  }
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow);
  parser.registerDcsHandler({ intermediates: "+", final: "q" }, swallow);
  for (const command of [4, 10, 11, 12]) parser.registerOscHandler(command, isQuestion);
}

/** OSC 52: programs may ask to fill the clipboard, within bounds, and never read it. */
export function guardClipboard(
  { parser }: Terminal,
  { asked, tooLong }: { asked: (text: string) => void; tooLong: (charsMax: number) => void },
): IDisposable {
  return parser.registerOscHandler(52, (data) => {
    const base64 = data.slice(data.indexOf(";") + 1);
    if (base64 === "?") return true;
    if (base64.length > (CLIPBOARD_CHARS_MAX * 4) / 3) {
      tooLong(CLIPBOARD_CHARS_MAX);
      return true;
    }
    try {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      asked(new TextDecoder().decode(bytes));
    } catch {
      // No Base64: nothing to copy.
    }
    return true;
  });
}

/** What is pasted is text: no key presses hidden in it, and no end of the brackets around it. */
export const cleanPaste = (text: string): string => text.replace(/[^\P{Cc}\r\n\t]/gu, "");

/** Links of programs open beside the terminal, and only web pages. */
export function openLink(uri: string): void {
  const url = URL.parse(uri);
  if (url?.protocol === "http:" || url?.protocol === "https:") {
    window.open(url.href, "_blank", "noopener,noreferrer");
  }
}
