export { default as Pool } from "./pool.tsx";
export { default as Pools } from "./pools.tsx";
