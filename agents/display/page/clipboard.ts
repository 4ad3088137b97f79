import { button, element } from "./element.ts";

export interface ClipboardPanel {
  readonly panel: HTMLElement;
  /** The display has copied a text. */
  received(text: string): void;
}

/**
 * The display's clipboard, as a text to read and to change. Nothing of it reaches the viewer's own clipboard, and nothing of that the display,
 * before a button is pressed.
 *
 * @param send puts a text into the display's clipboard
 * @param noticed there is a text that was not looked at
 */
export function clipboardPanel(send: (text: string) => void, noticed: () => void): ClipboardPanel {
  const field = element("textarea", {
    "aria-label": "Clipboard of the display",
    rows: "5",
    spellcheck: "false",
  });
  const said = element("span", { role: "status", class: "soft" });
  const say = (text: string) => {
    said.textContent = text;
  };
  const panel = element(
    "section",
    { class: "card clipboard", "aria-label": "Clipboard", hidden: true },
    element("p", { class: "soft" }, "The display's clipboard. What you write here can be pasted there."),
    field,
    element(
      "div",
      { class: "row" },
      button("Send to the display", () => {
        send(field.value);
        say("Sent: paste it there.");
      }),
      button("Copy to my clipboard", () => {
        field.select();
        navigator.clipboard.writeText(field.value).then(
          () => say("Copied."),
          () => say("The browser does not allow it: copy the selected text."),
        );
      }),
      said,
    ),
  );
  return {
    panel,
    received(text) {
      field.value = text;
      say("");
      if (panel.hidden) noticed();
    },
  };
}
