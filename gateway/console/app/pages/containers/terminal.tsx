import { useState } from "react";
import { api, dataOf } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Empty, Section } from "../../ui/page.tsx";
import { RunCommand } from "./run-command.tsx";
import type { Container } from "./states.tsx";

/** The way into the container: its terminal is a page of its own, at its own address. */
export default function Terminal({ container }: { container: Container }) {
  const { id, name, state, services } = container;
  const [error, setError] = useState<unknown>();
  const open = async () => {
    // Opened before the token is asked for: browsers let a page open another only while a press is handled.
    const tab = window.open("about:blank", "_blank");
    try {
      const { access_token, urls } = await dataOf(
        api.POST("/api/v1/containers/{id}/access", { params: { path: { id } } }),
      );
      const address = `${urls.terminal}/?access_token=${encodeURIComponent(access_token)}`;
      if (tab === null) location.assign(address);
      else tab.location.replace(address);
    } catch (thrown) {
      tab?.close();
      setError(thrown);
    }
  };
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      <Empty
        icon="terminal"
        title={state === "running" ? `A terminal in ${name}` : `${name} does not run`}
        action={
          <Button look="primary" icon="external" isDisabled={state !== "running"} onPress={() => void open()}>
            Open the terminal
          </Button>
        }
      >
        It opens in a tab of its own, at <code>{services.terminal}</code>. Its panel has files, the pipe and
        notifications. What runs in it goes on when you close the tab.
      </Empty>
      <Section title="Without a terminal">
        <RunCommand container={container} />
      </Section>
    </>
  );
}
