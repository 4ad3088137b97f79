/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Share } from "./share.tsx";
export { default as Storage } from "./storage.tsx";
