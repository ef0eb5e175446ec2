// The one time zone in which the whole console shows moments and cuts days.
import { signal } from "@preact/signals";
import { keep, kept } from "../kept.ts";

const zones = ["local", "utc"] as const;
export type Zone = (typeof zones)[number];

export const zone = signal<Zone>(kept("zone", zones) ?? "local");

export function setZone(next: Zone): void {
  keep("zone", next);
  zone.value = next;
}

/** Name in `Intl` and in the API. */
export function zoneName(): string {
  return zone.value === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Zone that the API cuts days by: its name, or minutes where the browser knows none. */
export function zoneAsked(): string | number {
  const name = zoneName();
  return /^[A-Z]\w*(?:[/_+-][\w+-]+)*$/.test(name) && name !== "Etc/Unknown"
    ? name
    : Math.round(zoneMinutes() / 15) * 15;
}

/** East of UTC at a moment: clocks leap in spring and autumn. */
export function zoneMinutes(seconds = Date.now() / 1000): number {
  return zone.value === "utc" ? 0 : -new Date(seconds * 1000).getTimezoneOffset() + 0;
}

/** "UTC+8", as it stands in the range picker and beside a moment. */
export function zoneLabel(seconds?: number): string {
  const minutes = zoneMinutes(seconds);
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const part = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return minutes === 0 ? "UTC" : `UTC${minutes < 0 ? "−" : "+"}${hours}${part}`;
}

/** Unix seconds at which a day such as 2026-11-30 begins. */
export function startOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const ms =
    zone.value === "utc"
      ? Date.UTC(year, month - 1, date)
      : new Date(year, month - 1, date).getTime();
  return Math.floor(ms / 1000);
}

/** The day that a moment is in. */
export function dayOf(seconds: number): string {
  return new Date((seconds + zoneMinutes(seconds) * 60) * 1000).toISOString().slice(0, 10);
}
