// Takes credentials out of texts by their shape, wherever the text came from.

interface Shape {
  pattern: RegExp;
  replacement: string;
}

/**
 * A part that each shape below has in it, in signs that JSON never escapes: a text without them, or
 * a line of JSON made of such texts, is clean. It is asked of every line, so it is one cheap pass.
 */
const traces = /[=@%]|(?:sk|sat|sst|rk|pk)-[\w-]{8}|AIza|bearer|basic/i;

/** A key starts behind anything but a letter or digit, save those that end an escape. */
const edge = String.raw`(^|[^a-z\d]|\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2}|\[[\d;]*m)`;

/** A password may hold a few colons; their number is bounded to keep the search linear. */
const password = String.raw`[^\s:/@"']+(?::[^\s:/@"']*){0,8}`;
const host = String.raw`(?:localhost\b|[\w.-]{1,253}(?::\d|[(/]))`;

/** In this order: a header's value goes as a whole before a key inside it is looked for. */
const shapes: readonly Shape[] = [
  {
    pattern: /(?:bearer|basic)(?:\s|%20|\+)+[\w.~+/=%-]{8,}/gi,
    replacement: "[secret]",
  },
  {
    pattern: /((?:[?&;]|%3f|%26|\\u0026)key(?:=|%3d))[^&\s"']+/gi,
    replacement: "$1[secret]",
  },
  {
    pattern: /((?:api[_-]?key|token|secret|password)(?:=|%3d))[^&\s"']+/gi,
    replacement: "$1[secret]",
  },
  // The name and password of an address.
  { pattern: /(:\/\/)[^\s/?#"']+@/g, replacement: "$1[secret]@" },
  // The password of a data source without a scheme: user:password@host:1, @tcp(...) or @host/name.
  { pattern: new RegExp(`:${password}(@${host})`, "g"), replacement: ":[secret]$1" },
  {
    pattern: new RegExp(`${edge}(?:sk|sat|sst|rk|pk)-[\\w-]{8,}`, "gi"),
    replacement: "$1[secret]",
  },
  { pattern: /AIza[\w-]{10,}/gi, replacement: "[secret]" },
];

/** Never wrongly false, for a text and for the JSON of a text alike. */
export function mayHoldSecret(text: string): boolean {
  return traces.test(text);
}

/** Takes anything that looks like a credential out of a text. */
export function scrub(text: string): string {
  if (!mayHoldSecret(text)) return text;
  return shapes.reduce(
    (left, { pattern, replacement }) => left.replace(pattern, replacement),
    text,
  );
}
