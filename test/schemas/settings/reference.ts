import { join } from "node:path";
import { SETTINGS } from "../../../schemas/settings/index.ts";
import type { Setting } from "../../../schemas/settings/setting.ts";
import { describeType } from "../../../system/configuration.ts";

/** `bun run settings-docs`: makes the page of all settings. */

export const SETTINGS_FILE = join(import.meta.dir, "../../../docs/settings.md");

const HEAD = `# Settings

Made from \`schemas/settings/\` by \`bun run settings-docs\`: not to be edited.

A setting is a variable of the environment, or a line \`NAME=value\` of one file that \`BERTH_CONFIG\` or \`--config FILE\` names (\`bun run gateway --config /etc/berth/berth.env\`); the environment comes first. One file may serve all processes of a machine: each takes what is its own.

Everything is checked at the start. A wrong value ends the process with one line that names the setting and what it can be. A name that no setting has is refused in the file, and is a warning in the log if it is in the environment; the nearest name is said. An empty value counts as unset.

\`start\` is \`npm start\`, which passes all settings on to the processes that it starts; \`services\` are a pipe, terminal, notifier or display that runs alone; \`berth\` is the command line.
`;

const standardOf = ({ standard, standardIs }: Setting): string =>
  standardIs ?? (standard === undefined ? "" : `\`${standard}\``);

const rowOf = (setting: Setting): string => {
  const { name, roles, type, meaning, isSecret } = setting;
  const cells = [`\`${name}\``, roles.join(", "), describeType(type), standardOf(setting)];
  return `| ${[...cells, meaning + (isSecret ? " (secret)" : "")].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
};

/** The page as it is to be now. */
export const makeSettingsPage = (): string =>
  HEAD +
  Object.entries(SETTINGS)
    .map(
      ([title, settings]) =>
        `\n## ${title}\n\n| setting | of | can be | default | |\n|---|---|---|---|---|\n${settings.map(rowOf).join("")}`,
    )
    .join("");

if (import.meta.main) await Bun.write(SETTINGS_FILE, makeSettingsPage());
