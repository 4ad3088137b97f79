/** Line icons on a grid of 20, drawn here: an icon set would weigh more than all pages. They say nothing that text does not. */
const PATHS = {
  home: "M3 9l7-6 7 6v8h-5v-5H8v5H3z",
  container: "M10 2l7 4v8l-7 4-7-4V6zM3 6l7 4 7-4M10 10v8",
  server: "M3 4h14v5H3zM3 11h14v5H3zM6 6.500h.01M6 13.500h.01",
  market: "M3 3h2l2 9h8l2-6H6M8 16h.01M14 16h.01",
  wallet: "M3 6h14v10H3zM3 6l9-3v3M13 11h1",
  name: "M10 3a7 7 0 100 14 7 7 0 000-14zM3 10h14M10 3c3 3 3 11 0 14M10 3c-3 3-3 11 0 14",
  firewall: "M10 2l6 2v5c0 4-3 7-6 9-3-2-6-5-6-9V4z",
  storage: "M4 5c0-3 12-3 12 0v10c0 3-12 3-12 0zM4 5c0 3 12 3 12 0M4 10c0 3 12 3 12 0",
  pool: "M7 9a3 3 0 100-6 3 3 0 000 6zM2 17c0-6 10-6 10 0M13 3a3 3 0 010 6M14 12c3 0 4 2 4 5",
  project: "M3 4.500h5l2 2.500h7v9H3z",
  image: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM14 11v6M11 14h6",
  event: "M2 10h4l2-6 4 12 2-6h4",
  inbox: "M3 11l3-8h8l3 8v6H3zM3 11h4l1 2h4l1-2h4",
  account: "M10 10a3.500 3.500 0 100-7 3.500 3.500 0 000 7zM3 17c0-6 14-6 14 0",
  operator:
    "M10 7a3 3 0 100 6 3 3 0 000-6zM10 2v3M10 15v3M2 10h3M15 10h3M4.500 4.500l2 2M13.500 13.500l2 2M15.500 4.500l-2 2M6.500 13.500l-2 2",
  search: "M9 3a6 6 0 100 12A6 6 0 009 3zM13.500 13.500L17 17",
  copy: "M7 7h10v10H7zM13 7V3H3v10h4",
  close: "M4 4l12 12M16 4L4 16",
  menu: "M3 5h14M3 10h14M3 15h14",
  terminal: "M3 5l5 5-5 5M10 15h7",
  check: "M3 10l5 5 9-10",
  trash: "M3 5.500h14M7.500 5V3h5v2M5 5.500l1 12h8l1-12M8.500 8.500v6M11.500 8.500v6",
  plus: "M10 3v14M3 10h14",
  arrow: "M4 10h12M11 5l5 5-5 5",
  external: "M8 4H4v12h12v-4M11 3h6v6M17 3l-8 8",
  warning: "M10 3l8 14H2zM10 8v4M10 14.500h.01",
  sun: "M10 6.500a3.500 3.500 0 100 7 3.500 3.500 0 000-7zM10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.500 4.500l1 1M14.500 14.500l1 1M15.500 4.500l-1 1M5.500 14.500l-1 1",
  leave: "M8 3H4v14h4M8 10h9M13 6l4 4-4 4",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

/** A hull beside its quay: the letter b. */
export const Wordmark = () => (
  <span className="wordmark">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M5 3h5v26H5z" />
      <path d="M12 13h15c0 9-4.500 16-13 16h-2z" />
    </svg>
    Berth
  </span>
);
