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

export const PAGES: readonly PageEntry[] = [
  { path: "/", title: "Home", group: "main", icon: "home", load: () => import("./pages/home/home.tsx") },
];
