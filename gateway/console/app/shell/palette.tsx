import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { api, dataOf, type Schemas } from "../lib/api.ts";
import { useContainers, usePools, useProjects, useRentals, useShares } from "../lib/reads.ts";
import { signOut } from "../lib/session.ts";
import { applyTheme } from "../lib/theme.ts";
import { PAGES } from "../pages.ts";
import { Icon, type IconName } from "../ui/icons.tsx";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => void;
  /** One of so many that it is shown only to who types something. */
  readonly isAsked?: boolean;
}

/** More than a person looks through; typing goes on narrowing. */
const FOUND_MAX = 50;

interface PaletteProps {
  readonly user: Schemas["User"];
  /** `hasChosen`: what was chosen leads somewhere, or does something. */
  readonly onClose: (hasChosen?: boolean) => void;
}

/** Ctrl-K: pages, things and actions by a few letters of their name. Arrows choose, Enter goes there. */
export default function Palette({ user, onClose }: PaletteProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const entries = useEntries(user)
    .filter(
      ({ title, kind, isAsked = false }) =>
        (text !== "" || !isAsked) && plain(`${title} ${kind}`).includes(plain(text)),
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
          {entries.length === 0 && <p className="hint">Nothing has this name.</p>}
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

/** What begins with the text comes first. */
const rankOf = ({ title }: Entry, text: string): number => (plain(title).startsWith(plain(text)) ? 0 : 1);

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
    ...ACTIONS.map((action) => ({ ...action, kind: "action", run: action.run ?? go(action.to ?? "/") })),
    ...useThings().map((thing) => ({ ...thing, run: go(thing.to) })),
  ];
}

/** What the user has, each with its page. */
function useThings(): (Omit<Entry, "run"> & { readonly to: string })[] {
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
  return [
    ...containers.map(({ id, name }) => thing("container", id, name, `/containers/${id}`)),
    ...containers.flatMap(({ id, name }) =>
      CONTAINER_PARTS.map(([part, title, icon]) => ({
        ...thing(icon, `${part}-${id}`, `${title} of ${name}`, `/containers/${id}/${part}`),
        kind: "action",
        isAsked: true,
      })),
    ),
    ...rentals.map(({ id, server_name }) => thing("server", id, server_name, `/servers/${id}`)),
    ...projects.map(({ id, name }) => thing("project", id, name, `/projects/${id}`)),
    ...shares.map(({ id, name }) => thing("storage", id, name, `/storage/${id}`)),
    ...pools.map(({ id, name }) => thing("pool", id, name, `/pools/${id}`)),
    ...(names.data?.aliases ?? []).map(({ id, alias, container_id }) =>
      thing("name", id, alias, `/containers/${container_id}/names`),
    ),
  ];
}

/** What people come to a container for most. */
const CONTAINER_PARTS = [
  ["terminal", "Terminal", "terminal"],
  ["logs", "Logs", "event"],
  ["files", "Files", "storage"],
  ["firewall", "Firewall", "firewall"],
] as const;

const ACTIONS: readonly { id: string; title: string; icon: IconName; to?: string; run?: () => void }[] = [
  { id: "create-container", title: "Create a container", icon: "plus", to: "/containers?create=true" },
  { id: "rent-server", title: "Rent a server", icon: "market", to: "/marketplace" },
  { id: "create-share", title: "Create a storage share", icon: "storage", to: "/storage?create=true" },
  { id: "top-up", title: "Top up the wallet", icon: "wallet", to: "/wallet?top_up=true" },
  {
    id: "api",
    title: "API reference",
    icon: "external",
    run: () => open("/openapi", "_blank", "noopener"),
  },
  { id: "light", title: "Light colours", icon: "sun", run: () => applyTheme("light") },
  { id: "dark", title: "Dark colours", icon: "sun", run: () => applyTheme("dark") },
  { id: "sign-out", title: "Sign out", icon: "leave", run: () => void signOut() },
];
