import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatNumber } from "../lib/format.ts";
import type { ListPage } from "../lib/lists.ts";
import { Button } from "./button.tsx";
import { ErrorNote } from "./error-note.tsx";
import { Skeleton } from "./page.tsx";

interface LoadedListProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>>;
  readonly rows?: number;
  /** What stands where the list has nothing. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** What a list has read so far, and a button for the rest. */
export function LoadedList<Item>({ query, rows = 5, empty, children }: LoadedListProps<Item>) {
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  if (data === undefined)
    return error === null ? (
      <Skeleton rows={rows} />
    ) : (
      <div className="failed">
        <ErrorNote error={error} />
        <Button onPress={() => query.refetch()}>Try again</Button>
      </div>
    );
  const items = data.pages.flatMap((page) => page.items);
  const total = data.pages[0]?.total;
  if (items.length === 0) return empty;
  return (
    <>
      {children(items)}
      {hasNextPage && (
        <div className="more">
          <Button isPending={isFetchingNextPage} onPress={() => query.fetchNextPage()}>
            Show more
            {total === undefined ? "" : ` (${formatNumber(items.length)} of ${formatNumber(total)} shown)`}
          </Button>
        </div>
      )}
    </>
  );
}
