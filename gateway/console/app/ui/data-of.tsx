import { Link, type LinkProps } from "@tanstack/react-router";
import { nameWords, valueWords } from "../lib/record-words.ts";

/** More makes a row taller than what it says first is worth. */
const SHOWN_MAX = 3;

/** What a record of a log says, each value with its name; what is long is behind a button. */
export function DataOf({ data }: { data: Readonly<Record<string, unknown>> }) {
  const said = Object.entries(data).filter(([, value]) => value !== null && value !== "");
  const isShort = ([, value]: [string, unknown]) => typeof value !== "object";
  const isForSearches = ([name]: [string, unknown]) =>
    name === "id" || name.endsWith("_id") || name === "user_agent";
  const short = said.filter(isShort);
  // A person knows nothing by its id, or by what a browser calls itself: it is there for whoever looks for it.
  const first = [...short.filter((entry) => !isForSearches(entry)), ...short.filter(isForSearches)].slice(
    0,
    SHOWN_MAX,
  );
  const rest = said.filter((entry) => !first.includes(entry));
  return (
    <div className="data-of">
      <Entries entries={first} />
      {rest.length > 0 && (
        <details>
          <summary>More</summary>
          <Entries entries={rest} />
        </details>
      )}
    </div>
  );
}

const Entries = ({ entries }: { entries: readonly [string, unknown][] }) => (
  <ul>
    {entries.map(([name, value]) => (
      <li key={name}>
        <span>{nameWords(name)}</span> <Value name={name} value={value} />
      </li>
    ))}
  </ul>
);

/** Pages that have an id of this name in their address. */
const PAGES: Readonly<Record<string, string>> = { rental_id: "/servers" };

function Value({ name, value }: { name: string; value: unknown }) {
  const page = PAGES[name];
  const words = <bdi>{valueWords(name, value)}</bdi>;
  return page === undefined ? words : <Link to={`${page}/${value}` as LinkProps["to"]}>{words}</Link>;
}
