/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Events } from "./events/events.tsx";
export { default as Images } from "./images/images.tsx";
export { default as Registries } from "./images/registries.tsx";
export { default as Inbox } from "./inbox/inbox.tsx";
export { default as Share } from "./storage/share.tsx";
export { default as Storage } from "./storage/storage.tsx";
