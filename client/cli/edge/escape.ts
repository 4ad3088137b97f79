/** Keys that are for `berth` itself, as ssh has them: at the beginning of a line, `~.` leaves and `~~` is a `~`. */

const TILDE = 0x7e;
const DOT = 0x2e;
const LINE_ENDS = new Set([0x0d, 0x0a]);

export interface Keys {
  readonly passed: Uint8Array;
  readonly isLeaving: boolean;
}

/** Reads typed bytes, piece by piece. */
export function escapeReader(): (typed: Uint8Array) => Keys {
  let state: "line start" | "tilde" | "within" = "line start";
  return (typed) => {
    const passed: number[] = [];
    for (const byte of typed) {
      if (state === "tilde" && byte === DOT) return { passed: Uint8Array.from(passed), isLeaving: true };
      if (state === "line start" && byte === TILDE) {
        state = "tilde";
        continue;
      }
      if (state === "tilde" && byte !== TILDE) passed.push(TILDE);
      passed.push(byte);
      state = LINE_ENDS.has(byte) ? "line start" : "within";
    }
    return { passed: Uint8Array.from(passed), isLeaving: false };
  };
}

/**
 * What a terminal says by itself when a program asks it: device attributes, status, colours, and modes. The session's own
 * screen has answered already, so a second answer would be typed into the program.
 */
const ESC = "\u001b";
const BELL = "\u0007";
const REPORTS = String.raw`\[[?>=][\d;]*[cn]|\[\?[\d;]*\$y|\[\d+;\d+R|\[0n`;
const ANSWERS = new RegExp(`${ESC}(?:${REPORTS}|[P\\]][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\))`, "g");

export function withoutAnswers(typed: Uint8Array): Uint8Array {
  // Latin 1 keeps each byte as it is.
  const text = Buffer.from(typed).toString("latin1");
  return text.includes("\u001b") ? Buffer.from(text.replace(ANSWERS, ""), "latin1") : typed;
}
