import { element } from "./dom.ts";

const LABEL_MS = 2_000;

/**
 * Copies a text, and shows that on the button. Without https there is no clipboard access: then `shown` is selected,
 * for copying by keyboard.
 */
export async function copy(text: string, shown: HTMLElement, button: HTMLElement): Promise<void> {
  button.dataset.label ??= button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    shown.textContent = text;
    getSelection()?.selectAllChildren(shown);
    button.textContent = "Selected";
  }
  setTimeout(() => {
    button.textContent = button.dataset.label ?? "";
  }, LABEL_MS);
}

/** Copies the result of `read` when the button is pressed, and shows its error below. */
export function copiesOn(button: HTMLElement, shown: HTMLElement, read: () => Promise<string>): void {
  const problem = element("copy-problem");
  button.addEventListener("click", async () => {
    problem.hidden = true;
    try {
      await copy(await read(), shown, button);
    } catch (error) {
      problem.textContent = `It was not copied: ${(error as Error).message}`;
      problem.hidden = false;
    }
  });
}
