/** The values of a form by the names of its fields. What is not checked or not shown is absent. */
export type Values = Readonly<Record<string, string>>;
