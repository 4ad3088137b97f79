/** The body of a reply. The client throws for a refusal, so a reply without one has no content. */
export async function reply<Body>(call: Promise<{ data?: Body }>): Promise<NonNullable<Body>> {
  return (await call).data as NonNullable<Body>;
}
