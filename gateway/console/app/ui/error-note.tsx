import type { ReactNode } from "react";
import { isolated } from "../lib/isolated.ts";
import { messageOf, requestIdOf } from "../lib/messages.ts";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icons.tsx";

/** What went wrong, in the words of the API, with the id by which an operator finds the request. */
export function ErrorNote({ error, children }: { error: unknown; children?: ReactNode }) {
  const id = requestIdOf(error);
  return (
    <div className="note bad" role="alert">
      <Icon name="warning" />
      <div>
        {isolated(messageOf(error))} {children}
        {id !== null && <RequestId id={id} />}
      </div>
    </div>
  );
}

export const RequestId = ({ id }: { id: string }) => (
  <p className="request-id">
    Request <code>{id}</code> <CopyButton text={id} label="Copy the request's id" />
  </p>
);
