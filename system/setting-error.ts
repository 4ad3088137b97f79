/** A setting that a program cannot start with. The message is one line for the operator: which setting, and what to do. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
