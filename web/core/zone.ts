// The one time zone in which the whole console shows moments and cuts days.
import { signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

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

/** East of UTC, in the quarters of an hour that the API cuts days by. */
export function zoneMinutes(): number {
  if (zone.value === "utc") return 0;
  return Math.round(-new Date().getTimezoneOffset() / 15) * 15 + 0;
}

/** "UTC+8", as it stands in the range picker. */
export function zoneLabel(): string {
  if (zone.value === "utc") return "UTC";
  const minutes = -new Date().getTimezoneOffset();
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const part = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return minutes === 0 ? "UTC" : `UTC${minutes < 0 ? "−" : "+"}${hours}${part}`;
}
