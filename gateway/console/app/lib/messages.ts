import { BerthError } from "./api.ts";

/** What went wrong, for a person: the words of the API where it has some. */
export function messageOf(error: unknown): string {
  if (error instanceof BerthError) return error.message;
  if (error instanceof TypeError)
    return "The server cannot be reached. Check the connection, then try again.";
  return error instanceof Error ? error.message : "Something went wrong.";
}

/** The id by which an operator finds the request. */
export const requestIdOf = (error: unknown): string | null =>
  error instanceof BerthError ? error.requestId : null;
