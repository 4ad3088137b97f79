/** They are one file for browsers: who opens one of them goes on to others, and each of its own would be larger. */

export { default as Pool } from "./pool.tsx";
export { default as Pools } from "./pools.tsx";
