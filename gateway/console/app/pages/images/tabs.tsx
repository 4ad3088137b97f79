import type { ReactNode } from "react";
import { PageHead, Tabs } from "../../ui/page.tsx";

const TABS = [
  { title: "Library", to: "/images" },
  { title: "Private registries", to: "/images/registries" },
];

/** The head of each page of images. */
export const ImagesHead = ({ children }: { children?: ReactNode }) => (
  <>
    <PageHead title="Images">{children}</PageHead>
    <Tabs label="Images" tabs={TABS} />
  </>
);
