import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";

/** A page of a list of the API: its items, and where the next page begins. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly total?: number;
}

interface ListOptions {
  readonly isEnabled?: boolean;
  /** For what no event tells of: it is read again this often while it is shown. */
  readonly everyMs?: number;
  /** What was found before stays until the new is there, so that a filter does not make the page flicker. */
  readonly keepsFormer?: boolean;
}

/** A list that is read page after page; `LoadedList` shows it. An event of its resource reads again what is shown. */
export function useList<Item>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
  { isEnabled = true, everyMs, keepsFormer = false }: ListOptions = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: isEnabled,
    refetchInterval: everyMs ?? false,
    ...(keepsFormer ? { placeholderData: keepPreviousData } : {}),
  });
}

/** For a query: `cursor` only where there is one. */
export const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

type Filters<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** What a list is narrowed by. It stands in the address, so that it can be kept and sent to others. */
export function useFilters<const Name extends string>(names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = present(names, (name) => String(search[name] ?? ""));
  const change = (changed: Filters<Name>) =>
    void navigate({
      to: ".",
      replace: true,
      search: present(
        names,
        (name) => changed[name] ?? (name in changed ? "" : (filters[name] ?? "")),
      ) as never,
    });
  return [filters, change] as const;
}

const present = <Name extends string>(names: readonly Name[], textOf: (name: Name) => string) =>
  Object.fromEntries(
    names.map((name) => [name, textOf(name)] as const).filter(([, value]) => value !== ""),
  ) as Filters<Name>;
