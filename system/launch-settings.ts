/** Says that settings come later; a name that processes of Berth pass on to each other. */
const NAME = "BERTH_LAUNCH_SETTINGS";

/** For the environment of a program that gets the rest of its settings on its standard input. */
export const LAUNCH_SETTINGS: Readonly<Record<string, string>> = { [NAME]: "stdin" };

/**
 * Waits for the settings that are not known when `npm start` starts a program, such as the port of a database that still gets ready:
 * a JSON object up to the end of standard input, which is added to the environment. The program loads meanwhile. Anywhere else this
 * returns at once.
 *
 * @param meanwhile what can be done before
 */
export async function awaitLaunchSettings(meanwhile?: () => Promise<void>): Promise<void> {
  if (process.env[NAME] !== LAUNCH_SETTINGS[NAME]) return;
  delete process.env[NAME];
  await meanwhile?.();
  const text = await Bun.stdin.text();
  // Whoever started this program has ended instead.
  if (text === "") process.exit(1);
  Object.assign(process.env, JSON.parse(text));
}
