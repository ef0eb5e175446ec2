// Sameness of the view that two paths ask for. A range such as the last day moves on with the
// clock, and a list has pages: what was answered a moment ago still stands under the right heading.

const driftSecondsMax = 3600;
const pageNames = ["p", "cursor"] as const;

interface Window {
  /** The path without the two moments and the page. */
  rest: string;
  from: number | null;
  to: number | null;
}

function windowOf(path: string): Window {
  const [place = "", text = ""] = path.split("?");
  const search = new URLSearchParams(text);
  const take = (name: string) => {
    const value = search.get(name);
    search.delete(name);
    return value === null ? null : Number(value);
  };
  for (const name of pageNames) search.delete(name);
  return { from: take("from"), to: take("to"), rest: `${place}?${search.toString()}` };
}

export function isSameView(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  const [left, right] = [windowOf(one), windowOf(other)];
  const drift = moved(left.from, right.from);
  return left.rest === right.rest && drift <= driftSecondsMax && hasSameLength(left, right);
}

function moved(one: number | null, other: number | null): number {
  if (one === null || other === null) return one === other ? 0 : Infinity;
  return Math.abs(one - other);
}

/** A window without an end ends now. */
function hasSameLength(left: Window, right: Window): boolean {
  if (left.to === null || right.to === null) return left.to === right.to;
  return left.to - (left.from ?? 0) === right.to - (right.from ?? 0);
}
