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

/** Pages that are one file, each by its name there. */
const pagesOf =
  <Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>) =>
  (name: Name) =>
  async () => ({ default: (await load())[name] });

const account = pagesOf(() => import("./pages/account/pages.ts"));
const containers = pagesOf(() => import("./pages/containers/pages.ts"));
const resources = pagesOf(() => import("./pages/resources.ts"));
const operator = pagesOf(() => import("./pages/operator/pages.ts"));
const projects = pagesOf(() => import("./pages/projects/pages.ts"));
const servers = pagesOf(() => import("./pages/servers/pages.ts"));

export const PAGES: readonly PageEntry[] = [
  { path: "/", title: "Home", group: "main", icon: "home", load: () => import("./pages/home/home.tsx") },
  {
    path: "/containers",
    title: "Containers",
    group: "main",
    icon: "container",
    load: containers("Containers"),
  },
  {
    path: "/containers/$id",
    title: "Container",
    hasTabs: true,
    load: containers("Container"),
  },
  {
    path: "/servers",
    title: "Servers",
    group: "main",
    icon: "server",
    load: servers("Servers"),
  },
  { path: "/servers/$id", title: "Server", load: servers("Server") },
  {
    path: "/wallet",
    title: "Wallet",
    group: "main",
    icon: "wallet",
    hasTabs: true,
    load: servers("Wallet"),
  },
  {
    path: "/marketplace",
    title: "Marketplace",
    group: "main",
    icon: "market",
    load: servers("Marketplace"),
  },
  {
    path: "/projects",
    title: "Projects",
    group: "network",
    icon: "project",
    load: projects("Projects"),
  },
  { path: "/projects/compose", title: "Compose file", load: projects("Compose") },
  { path: "/projects/$id", title: "Project", load: projects("Project") },
  {
    path: "/names",
    title: "Names",
    group: "network",
    icon: "name",
    load: containers("Names"),
  },
  {
    path: "/storage",
    title: "Storage",
    group: "network",
    icon: "storage",
    load: resources("Storage"),
  },
  { path: "/storage/$id", title: "Storage share", load: resources("Share") },
  {
    path: "/images",
    title: "Images",
    group: "network",
    icon: "image",
    load: resources("Images"),
  },
  {
    path: "/images/registries",
    title: "Private registries",
    load: resources("Registries"),
  },
  {
    path: "/pools",
    title: "Pools",
    group: "network",
    icon: "pool",
    load: servers("Pools"),
  },
  { path: "/pools/$id", title: "Pool", load: servers("Pool") },
  {
    path: "/events",
    title: "Events",
    group: "more",
    icon: "event",
    load: resources("Events"),
  },
  {
    path: "/inbox",
    title: "Inbox",
    group: "more",
    icon: "inbox",
    load: resources("Inbox"),
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
  { path: "/device", title: "Sign in a program", load: account("Device") },
  { path: "/account/sessions", title: "Sessions", load: account("Sessions") },
  { path: "/account/tokens", title: "API tokens", load: account("Tokens") },
  { path: "/account/notifications", title: "Notifications", load: account("Notifications") },
  { path: "/account/limits", title: "Limits", load: account("Limits") },
  { path: "/account/audit", title: "Audit log", load: account("Audit") },
  { path: "/account/webhooks", title: "Webhooks", load: account("Webhooks") },
  { path: "/account/webhooks/$id", title: "Webhook", load: account("Webhook") },
  {
    path: "/operator",
    title: "Operator",
    group: "operator",
    icon: "operator",
    load: operator("Overview"),
  },
  { path: "/operator/users", title: "Users", load: operator("Users") },
  { path: "/operator/users/$id", title: "User", load: operator("User") },
  { path: "/operator/servers", title: "Servers of the stock", load: operator("Servers") },
  { path: "/operator/hosts", title: "Hosts", load: operator("Hosts") },
  { path: "/operator/containers", title: "Containers of all users", load: operator("Containers") },
  { path: "/operator/offers", title: "Offers", load: operator("Offers") },
  {
    path: "/operator/reservations",
    title: "Reservations",
    load: operator("Reservations"),
  },
  { path: "/operator/images", title: "Images of the catalogue", load: operator("Images") },
  { path: "/operator/reviews", title: "Payment reviews", load: operator("Reviews") },
  { path: "/operator/notices", title: "Notices", load: operator("Notices") },
  {
    path: "/operator/audit",
    title: "Audit log of administrators",
    load: operator("Audit"),
  },
  { path: "/operator/cluster", title: "Cluster", load: operator("Cluster") },
];
