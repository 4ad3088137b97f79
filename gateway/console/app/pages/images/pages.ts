/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Images } from "./images.tsx";
export { default as Registries } from "./registries.tsx";
