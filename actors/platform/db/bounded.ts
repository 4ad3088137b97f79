import type { Sql } from "./sql.ts";

/** A query got no reply in time. A database that stands still cannot end the query itself. */
export class DatabaseTimeoutError extends Error {
  override readonly name = "DatabaseTimeoutError";
  /** The code of a connection that timed out, for `isDatabaseUnavailable`. */
  readonly code = "ETIMEDOUT";
}

/** The same pool, whose queries reject with a `DatabaseTimeoutError` when no reply comes within `ms`. For reads. */
export function bounded(sql: Sql, ms: number): Sql {
  return new Proxy(sql, {
    apply(target, self, args) {
      const query: unknown = Reflect.apply(target, self, args);
      // A fragment of another query is never awaited, so it is not bounded.
      if (query instanceof Promise) boundQuery(query, ms);
      return query;
    },
  });
}

function boundQuery(query: Promise<unknown>, ms: number): void {
  const answered = query.then.bind(query);
  // biome-ignore lint/suspicious/noThenProperty: a query is sent when it is awaited, and here its time begins too
  query.then = (resolve, reject) =>
    new Promise((settle, fail) => {
      const timer = setTimeout(() => fail(new DatabaseTimeoutError(`no reply within ${ms} ms`)), ms);
      answered(settle, fail).finally(() => clearTimeout(timer));
    }).then(resolve, reject);
}
