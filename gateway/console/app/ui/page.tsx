import type { UseQueryResult } from "@tanstack/react-query";
import { Link, type LinkProps, useLocation, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { BerthError } from "../lib/api.ts";
import { isolated } from "../lib/isolated.ts";
import { Button, ButtonLink } from "./button.tsx";
import { ErrorNote } from "./error-note.tsx";
import { Icon, type IconName } from "./icons.tsx";

/** The head of a page: its title, which is the tab's as well, where it belongs, and what can be done. */
export function PageHead({
  title,
  part,
  under,
  status,
  children,
}: {
  title: string;
  /** The tab of it that is shown, for the title of the browser's tab and for who hears the page. */
  part?: string | undefined;
  under?: { title: string; to: string };
  status?: ReactNode;
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = [part, title, "Berth"]
      .filter(Boolean)
      .map((one = "") => isolated(one))
      .join(" · ");
  }, [part, title]);
  return (
    <header className="page-head">
      <div>
        {under && (
          <Link className="under" to={under.to as LinkProps["to"]}>
            {under.title}
          </Link>
        )}
        <h1 tabIndex={-1}>
          <bdi>{title}</bdi>
          {part && <span className="visually-hidden">: {part}</span>}
          {status && <span role="status">{status}</span>}
        </h1>
      </div>
      {children && <div className="page-actions">{children}</div>}
    </header>
  );
}

/** A part of a page with a heading. */
export const Section = ({
  title,
  children,
  actions,
}: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) => (
  <section className="section">
    <header>
      <h2>{title}</h2>
      {actions && <div className="page-actions">{actions}</div>}
    </header>
    {children}
  </section>
);

/** What stands where nothing is yet: what this is for, and the next step. */
export const Empty = ({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{isolated(title)}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
);

/** Bars in place of what is on its way. They are as tall as it will be, so that nothing moves. */
export const Skeleton = ({ rows = 3 }: { rows?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} />
    ))}
  </div>
);

/** What a query has read; before that a skeleton, and what went wrong where it could not be read. */
export function Loaded<T>({
  query,
  rows,
  children,
}: {
  query: UseQueryResult<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Skeleton {...(rows === undefined ? {} : { rows })} />;
  return <Failed error={query.error} onRetry={() => void query.refetch()} />;
}

/** What could not be read. Where it is not there, the page of one thing leads back to the list of them. */
function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { pathname } = useLocation();
  const [list = "/"] = /^(\/operator|\/account)?\/[^/]+/.exec(pathname) ?? [];
  const isGone = error instanceof BerthError && error.status === 404 && list !== pathname;
  const retry = <Button onPress={onRetry}>Try again</Button>;
  if (!isGone)
    return (
      <div className="failed">
        <ErrorNote error={error} />
        {retry}
      </div>
    );
  return (
    <>
      <PageHead title="Not found" />
      <Empty
        icon="search"
        title={error.code === "RECORD_NOT_FOUND" ? "Nothing is at this address" : error.message}
        action={
          <div className="page-actions">
            <ButtonLink look="primary" to={list}>
              Back to the list
            </ButtonLink>
            {retry}
          </div>
        }
      >
        The address may be mistyped, or what it led to is gone.
      </Empty>
    </>
  );
}

/** The head of a page that has tabs: the one that is shown stands in the title of the browser's tab. */
export function TabbedHead({
  title,
  tabs,
  children,
}: {
  title: string;
  tabs: TabLinks;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  return (
    <>
      <PageHead title={title} part={tabs.find(({ to }) => to === pathname)?.title}>
        {children}
      </PageHead>
      <Tabs label={title} tabs={tabs} />
    </>
  );
}

type TabLinks = readonly { readonly title: string; readonly to: string }[];

/** Tabs that are pages of their own: each has an address. The one that is shown is in sight, also where not all have room. */
export function Tabs({ label, tabs }: { label: string; tabs: TabLinks }) {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  const current = tabs.findIndex(({ to }) => to === pathname);
  const router = useRouter();
  useEffect(() => {
    const show = () => showCurrent(nav.current, current);
    show();
    // The router gives the tabs of the new page the place that those of the former one had.
    return router.subscribe("onRendered", show);
  }, [router, current]);
  return (
    <nav className="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ title, to }) => (
        <Link
          key={to}
          to={to as LinkProps["to"]}
          activeOptions={{ exact: true, includeSearch: false }}
          data-text={title}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls the tabs alone, and not the page. By its place: the link itself is marked as current a moment later. */
function showCurrent(tabs: HTMLElement | null, index: number): void {
  const current = tabs?.children[index];
  if (tabs && current instanceof HTMLElement)
    tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

/** Names with their values. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Why buttons that change something cannot be pressed. */
export const RoleNote = ({ pool }: { pool: string | undefined }) =>
  pool !== undefined && (
    <p className="note" role="status">
      <span>
        You have the role user in the pool <bdi>{pool}</bdi>. To change this needs the role admin in the pool.
      </span>
    </p>
  );
