import { button, element } from "./element.ts";

export interface KeyRow {
  readonly root: HTMLElement;
  /** Applies the held modifier keys to typed text. */
  modify(text: string): string;
}

const ARROWS = { "↑": "A", "↓": "B", "→": "C", "←": "D" } as const;

/** Keys that phones lack. Ctrl and Alt apply to the next key. */
export function keyRow(send: (text: string) => void, isApplicationMode: () => boolean): KeyRow {
  const held = { ctrl: false, alt: false };
  const sticky = (label: string, name: keyof typeof held) => {
    const one = button(label, label, () => {
      held[name] = !held[name];
      one.setAttribute("aria-pressed", String(held[name]));
    });
    one.setAttribute("aria-pressed", "false");
    return one;
  };
  const ctrl = sticky("Ctrl", "ctrl");
  const alt = sticky("Alt", "alt");
  const modify = (text: string): string => {
    if (!held.ctrl && !held.alt) return text;
    const code = text.toUpperCase().charCodeAt(0);
    const isLetter = text.length === 1 && code >= 0x40 && code <= 0x5f;
    const changed = held.ctrl && isLetter ? String.fromCharCode(code & 0x1f) : text;
    const result = held.alt ? `\x1b${changed}` : changed;
    held.ctrl = held.alt = false;
    for (const one of [ctrl, alt]) one.setAttribute("aria-pressed", "false");
    return result;
  };
  const key = (label: string, text: () => string, name = label) =>
    button(name, label, () => send(modify(text())));
  const root = element(
    "div",
    { class: "keys", role: "toolbar", "aria-label": "Keys" },
    key("Esc", () => "\x1b"),
    key("Tab", () => "\t"),
    ctrl,
    alt,
    ...Object.entries(ARROWS).map(([sign, final]) =>
      key(sign, () => `\x1b${isApplicationMode() ? "O" : "["}${final}`, `Arrow ${sign}`),
    ),
    ...["|", "/", "-", "~"].map((sign) => key(sign, () => sign)),
  );
  return { root, modify };
}
