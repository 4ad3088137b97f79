import { join } from "node:path";
import { CLEAN_ENVIRONMENT } from "../../harness/environment.ts";
import { until } from "../../harness/until.ts";

const BERTH = join(import.meta.dir, "../../../scripts/berth.ts");

export interface Place {
  readonly url: string;
  /** Of the configuration, with the sign-in. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `berth` in a process and a terminal of its own, as a person has it. */
export function inTerminal({ url, folder, env }: Place, argv: readonly string[]) {
  let screen = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([process.execPath, BERTH, ...argv], {
    env: {
      ...CLEAN_ENVIRONMENT,
      ...env,
      BERTH_URL: url,
      BERTH_CONFIG_DIR: folder,
      BERTH_KEYRING: "off",
      TERM: "xterm-256color",
    },
    terminal: {
      cols: 90,
      rows: 30,
      data: (_terminal, bytes) => {
        screen += decoder.decode(bytes, { stream: true });
      },
    },
  });
  return {
    exited: child.exited,
    /** All that was shown. */
    screen: () => screen,
    type: (text: string) => child.terminal?.write(text),
    resize: (cols: number, rows: number) => child.terminal?.resize(cols, rows),
    /** Waits for a text, and returns what matched. */
    shows: async (text: string | RegExp): Promise<string> => {
      const found = () => (typeof text === "string" ? screen.includes(text) && text : text.exec(screen)?.[0]);
      const shown = await until(found).catch(() => undefined);
      if (!shown) throw new Error(`${text} did not appear in:\n${screen}`);
      return shown;
    },
  };
}

export const CTRL_C = "\u0003";
