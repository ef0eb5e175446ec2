// Shares as they are told: four digits, and only what is whole is 1.

export function roundedShare(part: number, whole: number): number {
  const rounded = Math.round((part / whole) * 10_000) / 10_000;
  return part < whole ? Math.min(rounded, 0.9999) : rounded;
}
