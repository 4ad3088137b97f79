/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Names } from "../names/names.tsx";
export { default as Container } from "./container.tsx";
export { default as Containers } from "./containers.tsx";
