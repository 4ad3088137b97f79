/** A request that is not served: its status and one line that says why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "Refusal";
  }
}
