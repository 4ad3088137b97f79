interface Pagination {
  readonly next_cursor: string | null;
}

/**
 * The items of a list, page after page, each once.
 *
 *     for await (const container of items((cursor) => listContainers(cursor))) …
 *
 * @param page reads the page at a cursor; the first one without
 */
export async function* items<Item>(
  page: (cursor: string | undefined) => Promise<{ items: readonly Item[]; pagination: Pagination }>,
): AsyncGenerator<Item, void> {
  let cursor: string | undefined;
  do {
    const { items: found, pagination } = await page(cursor);
    yield* found;
    cursor = pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
