import type { ComponentType } from "react";
import type { IconName } from "./ui/icons.tsx";

/** A page of the console. README.md says how one is added. */
export interface PageEntry {
  /** As the router reads it: `/containers/$id`. Its first part stands in `../paths.ts`. */
  readonly path: string;
  readonly title: string;
  /** Where it stands in the navigation; absent: nowhere. */
  readonly group?: "main" | "network" | "more" | "operator";
  readonly icon?: IconName;
  readonly load: () => Promise<{ default: ComponentType }>;
}

const container = () => import("./pages/containers/container.tsx");
const wallet = () => import("./pages/wallet/wallet.tsx");

export const PAGES: readonly PageEntry[] = [
  { path: "/", title: "Home", group: "main", icon: "home", load: () => import("./pages/home/home.tsx") },
  {
    path: "/containers",
    title: "Containers",
    group: "main",
    icon: "container",
    load: () => import("./pages/containers/containers.tsx"),
  },
  { path: "/containers/$id", title: "Container", load: container },
  { path: "/containers/$id/$tab", title: "Container", load: container },
  {
    path: "/servers",
    title: "Servers",
    group: "main",
    icon: "server",
    load: () => import("./pages/servers/servers.tsx"),
  },
  { path: "/servers/$id", title: "Server", load: () => import("./pages/servers/server.tsx") },
  { path: "/wallet", title: "Wallet", group: "main", icon: "wallet", load: wallet },
  { path: "/wallet/$tab", title: "Wallet", load: wallet },
  {
    path: "/marketplace",
    title: "Marketplace",
    group: "main",
    icon: "market",
    load: () => import("./pages/marketplace/marketplace.tsx"),
  },
];
