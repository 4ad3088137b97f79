/**
 * A setting with which a program cannot start. The message is one line for the operator: which setting, and what to
 * do.
 */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
