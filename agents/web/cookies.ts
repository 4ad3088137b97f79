/** The value of the first cookie with a name. */
export function cookieOf(request: Request, name: string): string | undefined {
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
}
