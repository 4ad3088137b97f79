type Attributes = Readonly<Record<string, string | boolean>>;

/** Makes an element. Text is text; an attribute that is false is left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function button(label: string, sign: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title: label, "aria-label": label }, sign);
  // The keyboard focus stays on the terminal.
  made.addEventListener("pointerdown", (event) => event.preventDefault());
  made.addEventListener("click", act);
  return made;
}

/** Arrow keys move between the buttons, and Escape leaves them. */
export function moveByArrows(toolbar: HTMLElement, left: () => void): void {
  toolbar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") left();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const all = [...toolbar.querySelectorAll("button")].filter((one) => one.checkVisibility());
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[(at + step + all.length) % all.length]?.focus();
  });
}
