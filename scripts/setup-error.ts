/** Something that the person at the terminal has to put right. Its message is one line that says how. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}
