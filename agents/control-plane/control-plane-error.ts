/** The control plane's servers refuse this agent, or the address is invalid. A retry cannot help. */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";
}
