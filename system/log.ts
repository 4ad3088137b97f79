import pino, { type Logger } from "pino";
import { LOG_LEVELS, type LogLevel } from "../schemas/settings/log-levels.ts";
import { readSettingsFile } from "./configuration.ts";
import { currentOrigin } from "./origin.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The log of a process: a line of JSON for each record, with the id of the request that it belongs to. */
export function openLog(name: string, base?: Readonly<Record<string, string>>): Logger {
  return pino({
    name,
    ...(base === undefined ? {} : { base }),
    mixin() {
      const id = currentOrigin()?.request_id;
      return id === undefined ? {} : { request_id: id };
    },
  });
}

export const readLogLevel = (env: Environment): LogLevel =>
  LOG_LEVELS.find((level) => level === env.BERTH_LOG_LEVEL) ?? "info";

/**
 * Sets the level, and reads it again at each SIGHUP: from the settings file, or as at the start where the file has none.
 * Who may send the process a signal may change it.
 */
export function followLogLevel(log: Logger, env: Environment, argv: readonly string[] = []): void {
  const atStart = readLogLevel(env);
  log.level = atStart;
  process.on("SIGHUP", () => {
    try {
      const { BERTH_LOG_LEVEL = atStart } = readSettingsFile(env, argv);
      log.level = readLogLevel({ BERTH_LOG_LEVEL });
      // At the level itself, so that the line is written whatever it is.
      if (log.level !== "silent")
        log[log.level as "info"]({ level_now: log.level }, "the log level was read again");
    } catch (error) {
      log.error({ err: error }, "the log level could not be read again, and stays");
    }
  });
}
