// Text as it stands in code of each language that is copied from here. Names of models and keys are
// others' words: whatever they are made of, they stay one text where they are pasted.

export const lines = (...all: (string | false)[]): string =>
  all.filter((one) => one !== false).join("\n");

const plainWord = /^[A-Za-z0-9_./:@,+][A-Za-z0-9_./:@,+-]*$/;

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

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

interface CurlCall {
  method?: string;
  url: string;
  /** The name of a variable of the shell, or the text itself. */
  bearer: { variable: string } | { text: string };
  body?: object | undefined;
  /** Shows what comes as it comes. */
  isStream?: boolean;
  isWide?: boolean;
}

export function curl({ method, url, bearer, body, isStream, isWide }: CurlCall): string {
  const verb = [isStream && "-N", method && `-X ${method}`].filter(Boolean).join(" ");
  const header =
    "text" in bearer
      ? shellWord(`authorization: Bearer ${bearer.text}`)
      : `"authorization: Bearer $${bearer.variable}"`;
  const parts = [`curl ${verb}${verb && " "}${shellWord(url)}`, `-H ${header}`];
  if (body !== undefined) {
    const text = isWide ? JSON.stringify(body, null, 2) : JSON.stringify(body);
    parts.push("-H 'content-type: application/json'", `-d ${shellWord(text)}`);
  }
  return parts.join(" \\\n  ");
}
