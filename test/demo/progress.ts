// Progress of the month in words, for whoever waits for it.

/** Such as `42 %, 63 s so far, about 87 s to go`. */
export function progressText(share: number, elapsedMs: number): string {
  const percent = `${Math.floor(share * 100)} %`;
  if (share <= 0) return percent;
  const leftMs = elapsedMs / share - elapsedMs;
  return `${percent}, ${seconds(elapsedMs)} so far, about ${seconds(leftMs)} to go`;
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1000)} s`;
}
