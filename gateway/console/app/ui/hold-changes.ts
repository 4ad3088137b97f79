/**
 * Holds back the end of typing in the fields of a form while a button of the mouse or a finger is down. The error that
 * a field shows then moves what stands below it, and the click would miss what it was aimed at.
 * @returns what ends it
 */
export function holdChangesWhilePressed(form: HTMLFormElement): () => void {
  let isPressed = false;
  const held = new Set<EventTarget>();
  const press = () => {
    isPressed = true;
  };
  const release = () => {
    isPressed = false;
    // The click follows in the same turn.
    setTimeout(() => {
      for (const field of held) field.dispatchEvent(new Event("change", { bubbles: true }));
      held.clear();
    });
  };
  const hold = (event: Event) => {
    if (!isPressed || !(event.target instanceof Element) || !form.contains(event.target)) return;
    event.stopImmediatePropagation();
    held.add(event.target);
  };
  const listeners = { pointerdown: press, pointerup: release, pointercancel: release, change: hold };
  for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener, true);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener, true);
  };
}
