import { Link, type LinkProps } from "@tanstack/react-router";
import type { Schemas } from "../lib/api.ts";
import { formatMoney, formatNumber } from "../lib/format.ts";
import { useBalances, useUnread } from "../lib/reads.ts";
import { signOut } from "../lib/session.ts";
import { applyTheme, currentTheme, type Theme } from "../lib/theme.ts";
import { PAGES, type PageEntry } from "../pages.ts";
import { Button } from "../ui/button.tsx";
import { Icon, Wordmark } from "../ui/icons.tsx";
import { DRAWER } from "./drawer.ts";

const GROUPS = [
  ["main", ""],
  ["network", "Resources"],
  ["more", "You"],
  ["operator", "Operator"],
] as const;

/** The pages in groups, and who is signed in. On a small screen it is a drawer. */
export function Navigation({ user, onSearch }: { user: Schemas["User"]; onSearch: () => void }) {
  return (
    <nav id={DRAWER} className="navigation" aria-label="Pages">
      <Wordmark />
      <button type="button" className="search-button" onClick={onSearch}>
        <Icon name="search" />
        Search <kbd>Ctrl K</kbd>
      </button>
      {GROUPS.map(([group, title]) => {
        const pages = PAGES.filter((page) => page.group === group);
        if (pages.length === 0 || (group === "operator" && user.role !== "admin")) return null;
        return (
          <ul key={group} aria-label={title || "Overview"}>
            {title && <li className="group-title">{title}</li>}
            {pages.map((page) => (
              <li key={page.path}>
                <PageLink page={page} />
              </li>
            ))}
          </ul>
        );
      })}
      <footer>
        <Balance />
        <ThemeChoice />
        <div className="signed-in">
          <bdi title={user.email}>{user.username}</bdi>
          <Button look="quiet" icon="leave" onPress={() => signOut()}>
            Sign out
          </Button>
        </div>
      </footer>
    </nav>
  );
}

const PageLink = ({ page }: { page: PageEntry }) => (
  <Link to={page.path as LinkProps["to"]} activeOptions={{ exact: page.path === "/" }}>
    {page.icon && <Icon name={page.icon} />}
    {page.title}
    {page.path === "/inbox" && <Unread />}
  </Link>
);

function Unread() {
  const count = useUnread().data?.unread_count ?? 0;
  return (
    count > 0 && (
      <span className="badge" title={`${formatNumber(count)} unread`}>
        {formatNumber(count)}
        <span className="visually-hidden"> unread</span>
      </span>
    )
  );
}

function Balance() {
  const { data } = useBalances();
  return (
    <Link className="balance" to={"/wallet" as "."}>
      <span>Balance</span>
      <strong>{data === undefined ? "…" : formatMoney(data.general_balance)}</strong>
    </Link>
  );
}

const ThemeChoice = () => (
  <label className="theme">
    <Icon name="sun" />
    <span className="visually-hidden">Colours</span>
    <select defaultValue={currentTheme()} onChange={(event) => applyTheme(event.target.value as Theme)}>
      <option value="system">As the system</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  </label>
);

/** The few pages that a thumb reaches; the drawer has the rest. */
export const BottomBar = ({ isMoreShown, onMore }: { isMoreShown: boolean; onMore: () => void }) => (
  <nav className="bottom-bar" aria-label="Main pages">
    {PAGES.filter(({ group }) => group === "main")
      .slice(0, 4)
      .map((page) => (
        <PageLink key={page.path} page={page} />
      ))}
    <button type="button" aria-expanded={isMoreShown} aria-controls={DRAWER} onClick={onMore}>
      <Icon name="menu" />
      More
    </button>
  </nav>
);
