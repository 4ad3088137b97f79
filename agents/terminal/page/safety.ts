import type { IDisposable, Terminal } from "@xterm/xterm";

/** The longest text that a program may write to the clipboard. */
const CLIPBOARD_CHARS_MAX = 100_000;

/**
 * Suppresses replies to programs' queries. The server's terminal replies; a reply of every page too would appear as
 * input at the prompt. These handlers swallow queries for device attributes, status, modes, settings, colours and
 * windows.
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

/** OSC 52: programs may ask to write the clipboard, within limits, and never read it. */
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
      // Text that is not Base64 is ignored.
    }
    return true;
  });
}

/** Removes control characters from pasted text: they could be key presses, or end the bracketed paste. */
export const cleanPaste = (text: string): string => text.replace(/[^\P{Cc}\r\n\t]/gu, "");

/** Opens a link of a program in another tab, if it is a web page. */
export function openLink(uri: string): void {
  const url = URL.parse(uri);
  if (url?.protocol === "http:" || url?.protocol === "https:") {
    window.open(url.href, "_blank", "noopener,noreferrer");
  }
}
