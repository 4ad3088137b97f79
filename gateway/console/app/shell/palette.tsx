import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Dialog } from "react-aria-components/Dialog";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { SearchField } from "react-aria-components/SearchField";
import type { Schemas } from "../lib/api.ts";
import { useContainers, useRentals } from "../lib/reads.ts";
import { signOut } from "../lib/sign-out.ts";
import { applyTheme } from "../lib/theme.ts";
import { PAGES } from "../pages.ts";
import { Icon, type IconName } from "../ui/icons.tsx";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** Ctrl-K: pages, things and actions by a few letters of their name. */
export default function Palette({ user, onClose }: { user: Schemas["User"]; onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: "base" });
  const [text, setText] = useState("");
  const entries = useEntries(user);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || onClose()}
      className="overlay palette"
    >
      <Modal className="modal">
        <Dialog className="dialog" aria-label="Search">
          <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Search pages, things and actions" autoFocus className="palette-field">
              <Icon name="search" />
              <Input placeholder="Pages, things, actions" />
            </SearchField>
            <Menu
              className="palette-list"
              aria-label="Found"
              items={entries}
              onAction={(id) => {
                onClose();
                entries.find((entry) => entry.id === id)?.run();
              }}
              renderEmptyState={() => <p className="hint">Nothing has this name.</p>}
            >
              {({ id, title, kind, icon }: Entry) => (
                <MenuItem id={id} textValue={`${title} ${kind}`}>
                  <Icon name={icon} />
                  {title}
                  <span className="hint">{kind}</span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useEntries(user: Schemas["User"]): Entry[] {
  const navigate = useNavigate();
  const containers = useContainers();
  const rentals = useRentals();
  const go = (to: string) => () => void navigate({ to });
  const pages = PAGES.filter(({ group }) => group && (group !== "operator" || user.role === "admin"));
  return [
    ...(containers.data?.containers ?? []).map(({ id, name }) => ({
      id,
      title: name,
      kind: "container",
      icon: "container" as const,
      run: go(`/containers/${id}`),
    })),
    ...(rentals.data ?? [])
      .filter(({ status }) => status === "active")
      .map(({ id, server_name }) => ({
        id,
        title: server_name,
        kind: "server",
        icon: "server" as const,
        run: go(`/servers/${id}`),
      })),
    ...pages.map(({ path, title, icon = "arrow" }) => ({
      id: path,
      title,
      kind: "page",
      icon,
      run: go(path),
    })),
    ...ACTIONS.map((action) => ({ ...action, kind: "action", run: action.run ?? go(action.to ?? "/") })),
  ];
}

const ACTIONS: readonly { id: string; title: string; icon: IconName; to?: string; run?: () => void }[] = [
  { id: "create-container", title: "Create a container", icon: "plus", to: "/containers?create=true" },
  { id: "rent-server", title: "Rent a server", icon: "market", to: "/marketplace" },
  { id: "top-up", title: "Top up the wallet", icon: "wallet", to: "/wallet" },
  { id: "light", title: "Light colours", icon: "sun", run: () => applyTheme("light") },
  { id: "dark", title: "Dark colours", icon: "sun", run: () => applyTheme("dark") },
  { id: "sign-out", title: "Sign out", icon: "leave", run: () => void signOut() },
];
