export { default as Server } from "./server.tsx";
export { default as Servers } from "./servers.tsx";
