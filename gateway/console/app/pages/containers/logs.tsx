import { useEffect, useRef, useState } from "react";
import { followStream } from "../../../../../client/event-stream.ts";
import type { Schemas } from "../../lib/api.ts";
import { messageOf } from "../../lib/messages.ts";
import { accessToken } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, Field } from "../../ui/field.tsx";
import { Empty } from "../../ui/page.tsx";
import { SameByCommand } from "../../ui/same-by-command.tsx";
import type { Container } from "./states.tsx";

interface Line {
  readonly key: number;
  readonly time: string;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** What a person reads; the API has more. */
const LINES_KEPT = 2_000;
const TAIL = 500;
/** Lines are shown together: a page that draws each by itself cannot keep up with a program that floods. */
const DRAW_MS = 100;

/** What the container writes, as it does. */
export default function Logs({ container: { id } }: { container: Container }) {
  const { lines, error } = useLog(id);
  const [search, setSearch] = useState("");
  const [follows, setFollows] = useState(true);
  const end = useRef<HTMLDivElement>(null);
  const shown =
    search === "" ? lines : lines.filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()));
  useEffect(() => {
    if (follows) end.current?.scrollIntoView({ block: "nearest" });
  }, [follows, shown]);
  return (
    <>
      <div className="bar">
        <Field
          label="Search"
          type="search"
          value={search}
          onChange={setSearch}
          placeholder="In the lines below"
        />
        <CheckField
          label="Show the newest line"
          checked={follows}
          onChange={({ target }) => setFollows(target.checked)}
        />
        <Button onPress={() => download(id, shown)}>Download</Button>
      </div>
      {error !== undefined && <p className="note warn">{error}</p>}
      {shown.length === 0 ? (
        <Empty icon="terminal" title={search === "" ? "It has written nothing yet" : "No line has this text"}>
          What its program writes to stdout and stderr shows up here as it is written.
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <div className="log" role="log" aria-label="Log" tabIndex={0}>
          {shown.map(({ key, time, stream, text }) => (
            <div key={key} className={stream}>
              <time dateTime={time}>{time.slice(11, 23)}</time>
              {stream === "stderr" && <span className="stream">err</span>}
              <span>{text}</span>
            </div>
          ))}
          <div ref={end} />
        </div>
      )}
      <SameByCommand method="GET" path={`/api/v1/containers/${id}/logs?tail=${TAIL}`} />
    </>
  );
}

/** The newest lines, and those that come. */
function useLog(id: string): { lines: readonly Line[]; error: string | undefined } {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    let waiting: Line[] = [];
    let key = 0;
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      const next = waiting;
      waiting = [];
      setLines((former) => [...former, ...next].slice(-LINES_KEPT));
    }, DRAW_MS);
    const follow = async () => {
      for await (const { type, data } of followStream(open(id), stop.signal)) {
        setError(undefined);
        if (type === "line") waiting.push({ key: key++, ...(JSON.parse(data) as Schemas["LogLine"]) });
        else if (type === "dropped")
          waiting.push({
            key: key++,
            time: new Date().toISOString(),
            stream: "stderr",
            text: "… lines were lost here: the log was full before they were read",
          });
      }
    };
    follow().catch((thrown) => stop.signal.aborted || setError(messageOf(thrown)));
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [id]);
  return { lines, error };
}

const open = (id: string) => async (last: string | null, signal: AbortSignal) => {
  const response = await fetch(
    `/api/v1/containers/${id}/logs?follow=true${last === null ? `&tail=${TAIL}` : ""}`,
    {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${await accessToken()}`,
        ...(last === null ? {} : { "last-event-id": last }),
      },
      signal,
    },
  );
  if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
  return response;
};

function download(id: string, lines: readonly Line[]): void {
  const text = lines.map(({ time, stream, text }) => `${time} ${stream} ${text}\n`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(text, { type: "text/plain" }));
  link.download = `${id}.log`;
  link.click();
  URL.revokeObjectURL(link.href);
}
