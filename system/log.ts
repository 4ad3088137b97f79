import pino, { type Logger } from "pino";
import { LOG_LEVELS, type LogLevel } from "../schemas/settings/log-levels.ts";
import { readSettingsFile } from "./configuration.ts";
import { currentOrigin } from "./origin.ts";
import { SettingError } from "./setting-error.ts";

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

/** Undefined where there is none. @throws SettingError for a level that there is not */
function levelIn({ BERTH_LOG_LEVEL: text }: Environment): LogLevel | undefined {
  const found = LOG_LEVELS.find((level) => level === text);
  if (text && found === undefined)
    throw new SettingError(`BERTH_LOG_LEVEL is "${text}": it can be ${LOG_LEVELS.join(" or ")}`);
  return found;
}

/**
 * Sets the level, and reads it again at each SIGHUP: from the settings file, or as at the start where the file has none.
 * Who may send the process a signal may change it.
 */
export function followLogLevel(log: Logger, env: Environment, argv: readonly string[] = []): void {
  const atStart = readLogLevel(env);
  log.level = atStart;
  process.on("SIGHUP", () => {
    try {
      log.level = levelIn(readSettingsFile(env, argv)) ?? atStart;
      // At the level itself, so that the line is written whatever it is.
      if (log.level !== "silent")
        log[log.level as "info"]({ level_now: log.level }, "the log level was read again");
    } catch (error) {
      log.error({ err: error }, "the log level could not be read again, and stays");
    }
  });
}
