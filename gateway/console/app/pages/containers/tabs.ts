/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Events } from "./events.tsx";
export { default as Files } from "./files.tsx";
export { default as Firewall } from "./firewall.tsx";
export { default as Logs } from "./logs.tsx";
export { default as Metrics } from "./metrics.tsx";
export { default as Names } from "./names.tsx";
export { default as People } from "./people.tsx";
export { default as Settings } from "./settings.tsx";
export { default as Terminal } from "./terminal.tsx";
export { default as Volumes } from "./volumes.tsx";
