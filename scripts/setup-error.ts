/** An obstacle that the person at the terminal has to remove. Its message is one line that says how. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
