// Text as it stands in code of each language that is copied from here: one text where it is pasted.
// That of a shell is in `curl.ts`.

export const lines = (...all: (string | false)[]): string =>
  all.filter((one) => one !== false).join("\n");

/** JSON is JavaScript. */
export function js(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Basic string of TOML, which takes one letter less as it is than JSON does. */
export function toml(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/** JSON is Python but for three words. */
export function python(value: unknown, depth = 0): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) {
    return block(
      "[]",
      value.map((one) => python(one, depth + 1)),
      depth,
    );
  }
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${python(one, depth + 1)}`,
  );
  return block("{}", inner, depth);
}

function block(brackets: string, inner: string[], depth: number): string {
  if (inner.length === 0) return brackets;
  const pad = "    ".repeat(depth);
  return lines(brackets.charAt(0), ...inner.map((one) => `${pad}    ${one},`), pad + brackets[1]);
}
