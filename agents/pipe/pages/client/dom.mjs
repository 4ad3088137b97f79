/** The element with this id. */
export const element = (id) => document.getElementById(id);
