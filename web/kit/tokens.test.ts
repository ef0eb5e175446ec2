// The contrast of what is read and of what is seen, measured in both themes.
import { expect, test } from "bun:test";
import { join } from "node:path";

const css = await Bun.file(join(import.meta.dir, "tokens.css")).text();
const pairs = new Map(
  Array.from(css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g), (match) => [
    match[1] ?? "",
    { light: match[2] ?? "", dark: match[3] ?? "" },
  ]),
);

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: "light" | "dark"): number {
  const [high = 0, low = 0] = [one, other]
    .map((name) => luminance(pairs.get(name)?.[theme] ?? "#000000"))
    .sort((left, right) => right - left);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["surface", "canvas", "sunken", "hover"];
const texts: [string, string][] = [
  ...["text", "text-2", "text-3"].flatMap((name) =>
    grounds.map((ground) => [name, ground] as [string, string]),
  ),
  ["accent", "surface"],
  ["accent", "accent-soft"],
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["on-bad", "bad"],
  ...["good", "warn", "bad"].flatMap(
    (name) =>
      [
        [name, "surface"],
        [name, `${name}-soft`],
      ] as [string, string][],
  ),
];
const marks: [string, string][] = [
  ["control", "surface"],
  ...[1, 2, 3, 4, 5, 6].map((at) => [`series-${at}`, "surface"] as [string, string]),
];

test.each(["light", "dark"] as const)("what is read stands out by 4.5 in %s", (theme) => {
  const low = texts.filter(([one, other]) => contrast(one, other, theme) < 4.5);
  expect(low).toEqual([]);
});

test.each(["light", "dark"] as const)("what is only seen stands out by 3 in %s", (theme) => {
  expect(marks.filter(([one, other]) => contrast(one, other, theme) < 3)).toEqual([]);
});
