// The line through the values of a series, as the path of an SVG.

/** A mark around a place: a line of one point draws nothing. */
const mark = "m0-2l2 2-2 2-2-2z";

/** The way to the last value is not part of it while that moment is not over. */
export function pathOf(
  values: readonly (number | null)[],
  place: (at: number) => string,
  isLastOpen: boolean,
): string {
  const has = (at: number) => (values[at] ?? null) !== null;
  const steps = values.map((_, at) => {
    if (!has(at)) return "";
    if (!has(at - 1)) return `M${place(at)}${has(at + 1) ? "" : mark}`;
    return isLastOpen && at === values.length - 1 ? "" : `L${place(at)}`;
  });
  return steps.join("");
}
