/** Light, dark, or as the system has it. */
export type Theme = "system" | "light" | "dark";
const KEY = "berth-theme";

export const currentTheme = (): Theme => (localStorage.getItem(KEY) as Theme | null) ?? "system";

export function applyTheme(theme: Theme = currentTheme()): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
}
