/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Compose } from "./compose.tsx";
export { default as Project } from "./project.tsx";
export { default as Projects } from "./projects.tsx";
