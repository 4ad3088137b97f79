import { Fragment, useEffect, useRef, useState } from "react";
import { followStream } from "../../../../../client/event-stream.ts";
import type { Schemas } from "../../lib/api.ts";
import { formatDate, formatDateTime, formatPreciseTime } from "../../lib/format.ts";
import { messageOf } from "../../lib/messages.ts";
import { accessToken } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, ChoiceField, Field } from "../../ui/field.tsx";
import { Empty, Skeleton } from "../../ui/page.tsx";
import { SameByCommand } from "../../ui/same-by-command.tsx";
import type { Container } from "./states.tsx";

interface Line {
  readonly key: number;
  readonly time: string;
  /** In the reader's format and zone. */
  readonly shownTime: string;
  readonly day: string;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** What a person reads; the API has more. */
const LINES_KEPT = 2_000;
const TAIL = 500;
const STREAMS = [
  { value: "", label: "stdout and stderr" },
  { value: "stdout", label: "stdout" },
  { value: "stderr", label: "stderr" },
];
/** Lines are shown together: a page that draws each by itself cannot keep up with a program that floods. */
const DRAW_MS = 100;
/** A log of which no line has come within it has none: lines that are there come first. */
const EMPTY_MS = 300;

/** What the container writes, as it does. */
export default function Logs({ container: { id, name } }: { container: Container }) {
  const { lines, isEmpty, error } = useLog(id);
  const [search, setSearch] = useState("");
  const [follows, setFollows] = useState(true);
  const log = useRef<HTMLDivElement>(null);
  const [stream, setStream] = useState("");
  const shown = lines.filter(
    (line) =>
      (stream === "" || line.stream === stream) && line.text.toLowerCase().includes(search.toLowerCase()),
  );
  const today = formatDate(new Date().toISOString());
  const isNarrowed = search !== "" || stream !== "";
  useEffect(() => {
    // The log alone: the page stays where it is.
    if (follows) log.current?.scrollTo(0, log.current.scrollHeight);
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
        <ChoiceField label="Stream" value={stream} onChange={setStream} choices={STREAMS} />
        <CheckField
          label="Follow new lines"
          checked={follows}
          onChange={({ target }) => setFollows(target.checked)}
        />
        <Button onPress={() => download(id, shown)}>Download</Button>
      </div>
      {error !== undefined && <p className="note warn">{error}</p>}
      {lines.length === 0 && !isEmpty && error === undefined ? (
        <Skeleton />
      ) : shown.length === 0 ? (
        <Empty icon="terminal" title={isNarrowed ? "No line is like this" : "It has written nothing yet"}>
          What its program writes to stdout and stderr shows up here as it is written.
        </Empty>
      ) : (
        <div
          ref={log}
          className="log"
          role="log"
          aria-label="Log"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
          tabIndex={0}
          // Who reads what came before is not led away from it.
          onWheel={({ deltaY }) => deltaY < 0 && setFollows(false)}
        >
          {shown.map(({ key, time, shownTime, day, stream, text }, index) => (
            <Fragment key={key}>
              {/* Lines of today alone need no date. */}
              {day !== (shown[index - 1]?.day ?? today) && <p className="log-day">{day}</p>}
              <div className={stream}>
                <time dateTime={time} title={formatDateTime(time)}>
                  {shownTime}
                </time>
                {stream === "stderr" && <span className="stream">err</span>}
                <span>{text}</span>
              </div>
            </Fragment>
          ))}
        </div>
      )}
      <SameByCommand
        of={{
          method: "GET",
          path: `/api/v1/containers/${id}/logs?tail=${TAIL}`,
          berth: ["logs", "--follow", "--tail", String(TAIL), name],
        }}
      />
    </>
  );
}

/** The newest lines, and those that come. */
function useLog(id: string) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [isEmpty, setEmpty] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    let waiting: Line[] = [];
    let key = 0;
    let openedAt = Number.POSITIVE_INFINITY;
    const opened = async (...of: Parameters<ReturnType<typeof open>>) => {
      const response = await open(id)(...of);
      openedAt = performance.now();
      return response;
    };
    const timer = setInterval(() => {
      if (waiting.length === 0) return setEmpty(performance.now() - openedAt > EMPTY_MS);
      const next = waiting;
      waiting = [];
      setLines((former) => [...former, ...next].slice(-LINES_KEPT));
    }, DRAW_MS);
    const follow = async () => {
      for await (const { type, data } of followStream(opened, stop.signal)) {
        setError(undefined);
        const line = type === "line" ? (JSON.parse(data) as Schemas["LogLine"]) : lostLines(type);
        if (line) waiting.push({ key: key++, ...shownOf(line.time), ...line });
      }
    };
    follow().catch((thrown) => stop.signal.aborted || setError(messageOf(thrown)));
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [id]);
  return { lines, isEmpty, error };
}

const shownOf = (time: string) => ({ shownTime: formatPreciseTime(time), day: formatDate(time) });

const lostLines = (type: string): Omit<Schemas["LogLine"], "partial"> | undefined =>
  type === "dropped"
    ? {
        time: new Date().toISOString(),
        stream: "stderr",
        text: "… lines were lost here: the log was full before they were read",
      }
    : undefined;

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
