// Days of UTC, counted from 1970, and as people write them.

export const dayMs = 86_400_000;

export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** The day, written 2026-11-30. */
export function formatDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Null for what is not written so, and for days that no month has. */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const atMs = Date.parse(text);
  // The thirtieth of February is read as a day in March.
  return Number.isNaN(atMs) || formatDay(dayOf(atMs)) !== text ? null : dayOf(atMs);
}
