import type { ReactNode } from "react";
import { TabbedHead } from "../../ui/page.tsx";

const TABS = [
  { title: "Library", to: "/images" },
  { title: "Private registries", to: "/images/registries" },
];

/** The head of each page of images. */
export const ImagesHead = ({ children }: { children?: ReactNode }) => (
  <TabbedHead title="Images" tabs={TABS}>
    {children}
  </TabbedHead>
);
