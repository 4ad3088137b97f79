/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Marketplace } from "../marketplace/marketplace.tsx";
export { default as Pool } from "../pools/pool.tsx";
export { default as Pools } from "../pools/pools.tsx";
export { default as Wallet } from "../wallet/wallet.tsx";
export { default as Server } from "./server.tsx";
export { default as Servers } from "./servers.tsx";
