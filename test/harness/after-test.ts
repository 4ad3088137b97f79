/** Without imports, since every test file loads it with the preloaded file. */

const open: (() => Promise<unknown>)[] = [];

/** Has something closed when the test that opened it has ended, however it ended. */
export function closeAfterTest(close: () => Promise<unknown>): void {
  open.push(close);
}

export async function closeOpened(): Promise<void> {
  if (open.length > 0) await Promise.all(open.splice(0).map((close) => close()));
}
