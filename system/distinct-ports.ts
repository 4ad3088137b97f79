import { SettingError } from "./setting-error.ts";

/**
 * Refuses settings that give two listeners of one process the same port. A port that is undefined or 0 is not used.
 *
 * @throws SettingError with one line that names both settings
 */
export function requireDistinctPorts(ports: Readonly<Record<string, number | undefined>>): void {
  const settingOf = new Map<number, string>();
  for (const [setting, port] of Object.entries(ports)) {
    if (!port) continue;
    const other = settingOf.get(port);
    if (other !== undefined)
      throw new SettingError(`${other} and ${setting} are both ${port}: give each a port of its own`);
    settingOf.set(port, setting);
  }
}
