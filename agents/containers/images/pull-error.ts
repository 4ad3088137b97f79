import { ContainerError } from "../driver.ts";

/** An image cannot be had; the message says why, in words for the owner of the container. */
export class PullError extends ContainerError {
  override readonly name = "PullError";
}
