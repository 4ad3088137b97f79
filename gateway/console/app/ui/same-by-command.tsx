import { Copyable } from "./copy.tsx";

/** A request of the API as a form sends it, and the command that does the same. */
export interface Command {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** How a form is done without this page. `$TOKEN` is an access token or an API token. */
export function SameByCommand({ method, path, body }: Command) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const curl = [
    `curl -X ${method} '${location.origin}${path}' -H "Authorization: Bearer $TOKEN"`,
    ...(json === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quote(json)}`]),
  ].join(" \\\n  ");
  const berth = `berth api ${method} ${quote(path)}${json === undefined ? "" : ` ${quote(json)}`}`;
  return (
    <details className="same">
      <summary>The same by command line and curl</summary>
      <Copyable text={berth} label="the command" />
      <Copyable text={curl} label="the curl command" />
      <p className="hint">
        <a href="/openapi">The API, to read</a>
      </p>
    </details>
  );
}

/** As one word of a shell. */
const quote = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
