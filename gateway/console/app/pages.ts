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
  /** A tab may follow the path, as in `/wallet/invoices`. The page stays while its tabs change. */
  readonly hasTabs?: boolean;
  readonly load: () => Promise<{ default: ComponentType }>;
}

const account = (name: keyof typeof import("./pages/account/pages.ts")) => async () => ({
  default: (await import("./pages/account/pages.ts"))[name],
});
const operator = (name: keyof typeof import("./pages/operator/pages.ts")) => async () => ({
  default: (await import("./pages/operator/pages.ts"))[name],
});

export const PAGES: readonly PageEntry[] = [
  { path: "/", title: "Home", group: "main", icon: "home", load: () => import("./pages/home/home.tsx") },
  {
    path: "/containers",
    title: "Containers",
    group: "main",
    icon: "container",
    load: () => import("./pages/containers/containers.tsx"),
  },
  {
    path: "/containers/$id",
    title: "Container",
    hasTabs: true,
    load: () => import("./pages/containers/container.tsx"),
  },
  {
    path: "/servers",
    title: "Servers",
    group: "main",
    icon: "server",
    load: () => import("./pages/servers/servers.tsx"),
  },
  { path: "/servers/$id", title: "Server", load: () => import("./pages/servers/server.tsx") },
  {
    path: "/wallet",
    title: "Wallet",
    group: "main",
    icon: "wallet",
    hasTabs: true,
    load: () => import("./pages/wallet/wallet.tsx"),
  },
  {
    path: "/marketplace",
    title: "Marketplace",
    group: "main",
    icon: "market",
    load: () => import("./pages/marketplace/marketplace.tsx"),
  },
  {
    path: "/projects",
    title: "Projects",
    group: "network",
    icon: "project",
    load: () => import("./pages/projects/projects.tsx"),
  },
  { path: "/projects/$id", title: "Project", load: () => import("./pages/projects/project.tsx") },
  {
    path: "/names",
    title: "Names",
    group: "network",
    icon: "name",
    load: () => import("./pages/names/names.tsx"),
  },
  {
    path: "/storage",
    title: "Storage",
    group: "network",
    icon: "storage",
    load: () => import("./pages/storage/storage.tsx"),
  },
  { path: "/storage/$id", title: "Storage share", load: () => import("./pages/storage/share.tsx") },
  {
    path: "/images",
    title: "Images",
    group: "network",
    icon: "image",
    load: () => import("./pages/images/images.tsx"),
  },
  {
    path: "/images/registries",
    title: "Private registries",
    load: () => import("./pages/images/registries.tsx"),
  },
  {
    path: "/pools",
    title: "Pools",
    group: "network",
    icon: "pool",
    load: () => import("./pages/pools/pools.tsx"),
  },
  { path: "/pools/$id", title: "Pool", load: () => import("./pages/pools/pool.tsx") },
  {
    path: "/events",
    title: "Events",
    group: "more",
    icon: "event",
    load: () => import("./pages/events/events.tsx"),
  },
  {
    path: "/inbox",
    title: "Inbox",
    group: "more",
    icon: "inbox",
    load: () => import("./pages/inbox/inbox.tsx"),
  },
  {
    path: "/account",
    title: "Account",
    group: "more",
    icon: "account",
    load: account("Account"),
  },
  {
    path: "/account/second-factor",
    title: "Second factor",
    load: account("SecondFactor"),
  },
  { path: "/device", title: "Sign in a program", load: () => import("./pages/device/device.tsx") },
  { path: "/account/sessions", title: "Sessions", load: account("Sessions") },
  { path: "/account/tokens", title: "API tokens", load: account("Tokens") },
  { path: "/account/notifications", title: "Notifications", load: account("Notifications") },
  { path: "/account/limits", title: "Limits", load: account("Limits") },
  { path: "/account/audit", title: "Audit log", load: account("Audit") },
  { path: "/account/webhooks", title: "Webhooks", load: () => import("./pages/webhooks/webhooks.tsx") },
  { path: "/account/webhooks/$id", title: "Webhook", load: () => import("./pages/webhooks/webhook.tsx") },
  {
    path: "/operator",
    title: "Operator",
    group: "operator",
    icon: "operator",
    load: operator("Overview"),
  },
  { path: "/operator/users", title: "Users", load: operator("Users") },
  { path: "/operator/users/$id", title: "User", load: operator("User") },
  { path: "/operator/servers", title: "Stock", load: operator("Servers") },
  { path: "/operator/hosts", title: "Hosts", load: operator("Hosts") },
  { path: "/operator/offers", title: "Offers", load: operator("Offers") },
  {
    path: "/operator/reservations",
    title: "Reservations",
    load: operator("Reservations"),
  },
  { path: "/operator/images", title: "Catalogue", load: operator("Images") },
  { path: "/operator/reviews", title: "Payment reviews", load: operator("Reviews") },
  { path: "/operator/notices", title: "Notices", load: operator("Notices") },
  {
    path: "/operator/audit",
    title: "Acts of administrators",
    load: operator("Audit"),
  },
  { path: "/operator/cluster", title: "Cluster", load: operator("Cluster") },
];
