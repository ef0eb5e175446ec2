// Duration of something, in the two largest units that matter.
import { t } from "./words.ts";

export function lasting(seconds: number): string {
  const words = t();
  const whole = Math.floor(seconds);
  const [days, hours] = [Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3600)];
  const minutes = Math.floor((whole % 3600) / 60);
  if (days > 0) return words.daysHours(days, hours);
  if (hours > 0) return words.hoursMinutes(hours, minutes);
  return minutes > 0 ? words.minutes(minutes) : words.seconds(whole);
}
