/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Audit } from "./audit.tsx";
export { default as Cluster } from "./cluster.tsx";
export { default as Containers } from "./containers.tsx";
export { default as Hosts } from "./hosts.tsx";
export { default as Images } from "./images.tsx";
export { default as Notices } from "./notices.tsx";
export { default as Offers } from "./offers.tsx";
export { default as Overview } from "./overview.tsx";
export { default as Reservations } from "./reservations.tsx";
export { default as Reviews } from "./reviews.tsx";
export { default as Servers } from "./servers.tsx";
export { default as User } from "./user.tsx";
export { default as Users } from "./users.tsx";
