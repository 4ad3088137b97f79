export interface Page {
  readonly type: string;
  readonly body: string;
  readonly policy?: string;
}
const p = (b: string): Page => ({ type: "text/html; charset=utf-8", body: b });
export const ICON = "<svg/>";
export const homePage = () => p("home");
export const dashboardPage = (n: string) => p(n);
export const playerPage = (n: string) => p(n);
export const noscriptPage = (n: string, m: string) => p(n + m);
export const helpText = (u: string) => u;
