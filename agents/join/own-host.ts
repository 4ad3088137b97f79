/** The host that `npm start` makes of its machine. */
export const OWN_HOST = "node-1";
