import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { api, dataOf, type Schemas } from "../lib/api.ts";
import { plural } from "../lib/format.ts";
import { changeState, changesOf } from "../lib/lifecycle.ts";
import { useContainers, usePools, useProjects, useRentals, useShares } from "../lib/reads.ts";
import { signOut } from "../lib/session.ts";
import { applyTheme } from "../lib/theme.ts";
import { hasDesktop, openDesktop } from "../pages/containers/enter.ts";
import { PAGES } from "../pages.ts";
import { Icon, type IconName } from "../ui/icons.tsx";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => unknown;
  /** Other words that people look for it by. */
  readonly also?: string;
  /** One of so many that it is shown only to who types something. */
  readonly isAsked?: boolean;
}

/** More than a person looks through; typing goes on narrowing. */
const FOUND_MAX = 50;

interface PaletteProps {
  readonly user: Schemas["User"];
  /** What was typed before there was a field for it. */
  readonly takeTyped: () => string;
  /** `hasChosen`: what was chosen leads somewhere, or does something. */
  readonly onClose: (hasChosen?: boolean) => void;
}

/** Ctrl-K: pages, things and actions by a few letters of their name. Arrows choose, Enter goes there. */
export default function Palette({ user, takeTyped, onClose }: PaletteProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const entries = useEntries(user)
    .filter(
      ({ title, kind, also = "", isAsked = false }) =>
        (text !== "" || !isAsked) && hasWords(plain(`${title} ${kind} ${also}`), plain(text)),
    )
    .toSorted((a, b) => rankOf(a, text) - rankOf(b, text))
    .slice(0, FOUND_MAX);
  const current = entries[at];
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose(true);
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) run(current);
    else setAt((at + step + entries.length) % Math.max(1, entries.length));
  };
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || onClose()}
      className="overlay palette"
    >
      <Modal className="modal">
        <Dialog className="dialog" aria-label="Search">
          <div className="palette-field">
            <Icon name="search" />
            <input
              role="combobox"
              aria-label="Search pages, things and actions"
              aria-expanded
              aria-controls="palette-list"
              aria-activedescendant={current && `found-${current.id}`}
              placeholder="Pages, things, actions"
              autoFocus
              onFocus={() => setText((before) => before + takeTyped())}
              value={text}
              onChange={({ target }) => {
                setText(target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div id="palette-list" role="listbox" className="palette-list" aria-label="Found">
            {entries.map((entry, index) => (
              <Found key={entry.id} entry={entry} isCurrent={index === at} onRun={() => run(entry)} />
            ))}
          </div>
          <p role="status" className={entries.length === 0 ? "hint" : "visually-hidden"}>
            {entries.length === 0
              ? "Nothing has this name."
              : text !== "" && `${plural(entries.length, "entry", "entries")} found`}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function Found({ entry, isCurrent, onRun }: { entry: Entry; isCurrent: boolean; onRun: () => void }) {
  const { id, title, kind, icon } = entry;
  const option = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) option.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <button
      type="button"
      role="option"
      ref={option}
      id={`found-${id}`}
      tabIndex={-1}
      aria-selected={isCurrent}
      data-focused={isCurrent || undefined}
      onClick={onRun}
    >
      <Icon name={icon} />
      <bdi>{title}</bdi>
      <span className="hint">{kind}</span>
    </button>
  );
}

/** What is called as the text comes first, then what begins with it. */
function rankOf({ title }: Entry, text: string): number {
  const [name, typed] = [plain(title), plain(text.trim())];
  return name === typed ? 0 : name.startsWith(typed) ? 1 : 2;
}

/** In any order, so that "web-1 terminal" finds what "terminal of web-1" does. */
const hasWords = (title: string, text: string): boolean =>
  text.split(/\s+/).every((word) => title.includes(word));

/** Without regard to case and accents. */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function useEntries(user: Schemas["User"]): Entry[] {
  const navigate = useNavigate();
  const go = (to: string) => () => void navigate({ to });
  const pages = PAGES.filter(
    ({ path }) => !path.includes("$") && (!path.startsWith("/operator") || user.role === "admin"),
  );
  return [
    ...pages.map(({ path, title, icon = "arrow" }) => ({
      id: path,
      title,
      kind: "page",
      icon,
      run: go(path),
    })),
    ...[...ACTIONS, ...useThings()].map((entry) => ({
      ...entry,
      kind: entry.kind ?? "action",
      run: entry.run ?? go(entry.to ?? "/"),
    })),
  ];
}

/** Leads to a page, or does something. */
interface Way extends Omit<Entry, "run" | "kind"> {
  readonly kind?: string;
  readonly to?: string;
  readonly run?: () => unknown;
}

/** What the user has, each with its page and with what can be done with it. */
function useThings(): Way[] {
  const containers = useContainers().data?.containers ?? [];
  const rentals = (useRentals().data ?? []).filter(({ status }) => status === "active");
  const pools = usePools().data ?? [];
  const projects = useProjects().data?.projects ?? [];
  const shares = useShares().data?.storage_shares ?? [];
  const names = useQuery({
    queryKey: ["aliases", "palette"],
    queryFn: () => dataOf(api.GET("/api/v1/proxy/aliases", { params: { query: { limit: "500" } } })),
  });
  const thing = (kind: IconName, id: string, title: string, to: string) => ({
    id,
    title,
    kind,
    icon: kind,
    to,
  });
  /** Each title with the part of the thing's address where it is done. */
  const acts = (
    icon: IconName,
    path: string,
    name: string,
    all: readonly (readonly [title: string, part: string, also?: string])[],
  ) =>
    all.map(([title, part, also = ""]): Way => {
      const to = `${path}${part}`;
      return { id: to, title: title.replace("…", name), icon, to, also, isAsked: true };
    });
  return [
    ...containers.map(({ id, name }) => thing("container", id, name, `/containers/${id}`)),
    ...containers.flatMap(({ id, name, state, image }) => [
      ...changesOf(state).map(
        (change): Way => ({
          id: `${change}-${id}`,
          title: `${CHANGES[change]} ${name}`,
          icon: "container",
          isAsked: true,
          run: () => changeState({ id, name }, change),
        }),
      ),
      ...(state === "running" && hasDesktop({ image })
        ? [
            {
              id: `desktop-${id}`,
              title: `Desktop of ${name}`,
              icon: "external" as const,
              isAsked: true,
              run: () => openDesktop(id),
            },
          ]
        : []),
      ...acts("container", `/containers/${id}`, name, CONTAINER_ACTS),
    ]),
    ...rentals.map(({ id, server_name }) => thing("server", id, server_name, `/servers/${id}`)),
    ...(rentals.length === 0 ? [to("Extend a server", "server", "/servers")] : []),
    ...rentals.flatMap(({ id, server_name }) => acts("server", `/servers/${id}`, server_name, SERVER_ACTS)),
    ...projects.map(({ id, name }) => thing("project", id, name, `/projects/${id}`)),
    ...shares.map(({ id, name }) => thing("storage", id, name, `/storage/${id}`)),
    ...pools.map(({ id, name }) => thing("pool", id, name, `/pools/${id}`)),
    ...pools.flatMap(({ id, name, role }) =>
      role === "user" ? [] : acts("pool", `/pools/${id}`, name, [["Invite to …", "?open=invite"]]),
    ),
    ...(names.data?.aliases ?? []).map(({ id, alias, container_id }) =>
      thing("name", id, alias, `/containers/${container_id}/names`),
    ),
  ];
}

const CHANGES = { start: "Start", restart: "Restart", stop: "Stop" } as const;

/** What people come to a container for most. */
const CONTAINER_ACTS = [
  ["Terminal of …", "/terminal"],
  ["Logs of …", "/logs"],
  ["Files of …", "/files", "upload download"],
  ["Firewall of …", "/firewall"],
  ["Settings of …", "/settings"],
  ["Add a firewall rule to …", "/firewall?open=add"],
  ["Create a name for …", "/names?open=create"],
  ["Share access to …", "/people?open=grant"],
  ["Delete …", "/settings?open=delete"],
] as const;

const SERVER_ACTS = [
  ["Extend …", "?open=extend"],
  ["Let … extend itself", "?open=auto"],
  ["End the rental of …", "?open=end"],
] as const;

const to = (title: string, icon: IconName, page: string, also?: string): Way => ({
  id: title.replaceAll(" ", "-"),
  title,
  icon,
  to: page,
  ...(also === undefined ? {} : { also }),
});
const does = (title: string, icon: IconName, run: () => unknown, also = ""): Way => ({
  id: title.replaceAll(" ", "-"),
  title,
  icon,
  run,
  also,
});

const ACTIONS: readonly Way[] = [
  to("Create a container", "plus", "/containers?create=true", "new"),
  to("Rent a server", "market", "/marketplace", "new buy"),
  to("Create a storage share", "storage", "/storage?create=true", "new volume"),
  to("Create a pool", "pool", "/pools?open=create", "new team invite"),
  to("Create a name", "name", "/names", "new domain"),
  to("Create an API token", "account", "/account/tokens?open=create", "new"),
  to("Create a webhook", "event", "/account/webhooks?open=create", "new"),
  to("Top up the wallet", "wallet", "/wallet?top_up=true", "top-up pay money"),
  to("Invoices", "wallet", "/wallet/invoices", "bills receipts credit notes"),
  to("Transfer to AI credit", "wallet", "/wallet?open=transfer", "money"),
  to("Change the password", "account", "/account"),
  to("Add a passkey", "account", "/account/second-factor", "new two-factor 2fa"),
  does("API reference", "external", () => open("/openapi", "_blank", "noopener")),
  does("Light colours", "sun", () => applyTheme("light"), "theme"),
  does("Dark colours", "sun", () => applyTheme("dark"), "theme"),
  does("Colours as the system", "sun", () => applyTheme("system"), "theme"),
  does("Sign out", "leave", () => signOut(), "log"),
];
