// Looks of the console for one person: theme and density, kept in the browser.
import { signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
const densities = ["normal", "compact"] as const;
export type Density = (typeof densities)[number];

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
export const theme = signal<Theme>(kept("theme", themes) ?? "system");
export const density = signal<Density>(kept("density", densities) ?? "normal");

export function setTheme(next: Theme): void {
  keep("theme", next);
  theme.value = next;
  showTheme();
}

export function setDensity(next: Density): void {
  keep("density", next);
  density.value = next;
  showTheme();
}

export function isDark(): boolean {
  return theme.value === "system" ? systemIsDark.matches : theme.value === "dark";
}

export function showTheme(): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = isDark() ? "dark" : "light";
  dataset["density"] = density.value;
}

systemIsDark.addEventListener("change", showTheme);
