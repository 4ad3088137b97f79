import type RFB from "@novnc/novnc";
import { element } from "./element.ts";

const BACKSPACE = 0xff08;
const RETURN = 0xff0d;
/** X's keysyms of characters beyond Latin-1. */
const UNICODE = 0x0100_0000;
const LATIN_1_MAX = 0xff;
/** A phone deletes by what is left of the field: some text has to be there. */
const FILLING = "_".repeat(20);

const keysymOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n") return RETURN;
  return code <= LATIN_1_MAX ? code : UNICODE | code;
};

/**
 * A field into which a phone's own keyboard types: what appears in it is sent as keys, what is deleted from it as Backspace.
 *
 * @param rfb null while there is no connection
 */
export function touchKeyboard(rfb: () => RFB | null): HTMLTextAreaElement {
  const field = element("textarea", {
    class: "unseen",
    "aria-label": "Keyboard for the display",
    autocapitalize: "off",
    autocomplete: "off",
    spellcheck: "false",
    tabindex: "-1",
  });
  const reset = () => {
    field.value = FILLING;
    field.setSelectionRange(FILLING.length, FILLING.length);
  };
  const press = (keysym: number) => rfb()?.sendKey(keysym, null);
  field.addEventListener("focus", reset);
  field.addEventListener("input", (event) => {
    // A word that is still being composed changes until it is done.
    if ((event as InputEvent).isComposing) return;
    const { value } = field;
    let same = 0;
    while (same < FILLING.length && value[same] === FILLING[same]) same += 1;
    for (let gone = same; gone < FILLING.length; gone += 1) press(BACKSPACE);
    for (const character of value.slice(same)) press(keysymOf(character));
    reset();
  });
  return field;
}
