export { default as Project } from "./project.tsx";
export { default as Projects } from "./projects.tsx";
