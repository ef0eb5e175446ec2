// The looks that a page has: theme, language and width.
import type { Visit } from "./console.ts";

type Look = Required<Pick<Visit, "theme" | "language" | "width">>;

/** Each of the six is seen in one of them. */
export const twoLooks: readonly Look[] = [
  { theme: "light", language: "en", width: 1440 },
  { theme: "dark", language: "zh", width: 390 },
];

export const everyLook: readonly Look[] = (["light", "dark"] as const).flatMap((theme) =>
  (["en", "zh"] as const).flatMap((language) =>
    ([1440, 390] as const).map((width) => ({ theme, language, width })),
  ),
);
