export { default as Share } from "./share.tsx";
export { default as Storage } from "./storage.tsx";
