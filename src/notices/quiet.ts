// Hours in which people want to be left alone.
export interface QuietTime {
  /** Time as `HH:MM`; where it is later than `to`, the night is meant. */
  readonly from: string;
  readonly to: string;
  /** IANA name of the zone. */
  readonly zone: string;
}

export function isQuiet({ from, to, zone }: QuietTime, nowMs: number): boolean {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const now = clock.format(nowMs);
  return from <= to ? from <= now && now < to : from <= now || now < to;
}
