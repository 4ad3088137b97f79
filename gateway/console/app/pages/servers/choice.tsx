import type { ReactNode } from "react";
import type { ServerChoice } from "../../lib/servers.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ChoiceField } from "../../ui/field.tsx";
import { Empty, Skeleton } from "../../ui/page.tsx";

interface ServerFieldProps {
  readonly servers: readonly ServerChoice[];
  readonly value?: string;
  readonly onChange?: (id: string) => void;
  readonly hint?: ReactNode;
}

/** Where something is created. */
export const ServerField = ({ servers, ...props }: ServerFieldProps) => (
  <ChoiceField
    label="Server"
    name="server_id"
    choices={servers.map(({ id, label, isReady }) => ({ value: id, label, isDisabled: !isReady }))}
    {...props}
  />
);

interface NeedsServerProps {
  /** Undefined while they are being read. */
  readonly servers: readonly ServerChoice[] | undefined;
  /** What needs a server, as the subject of a sentence. */
  readonly what: string;
  readonly children: (servers: readonly ServerChoice[]) => ReactNode;
}

/** What can be done once the user has a server that is ready; before that, what to do or to wait for. */
export function NeedsServer({ servers, what, children }: NeedsServerProps) {
  if (servers === undefined) return <Skeleton rows={5} />;
  if (servers.some(({ isReady }) => isReady)) return children(servers);
  if (servers.length > 0)
    return (
      <Empty
        icon="server"
        title="Your server is being set up"
        action={<ButtonLink to="/servers">Your servers</ButtonLink>}
      >
        {what} needs a server that is ready. We tell you when yours is.
      </Empty>
    );
  return (
    <Empty
      icon="server"
      title={`${what} needs a server`}
      action={
        <ButtonLink look="primary" to="/marketplace">
          See the servers
        </ButtonLink>
      }
    >
      You rent none at present, and share none through a pool.
    </Empty>
  );
}
