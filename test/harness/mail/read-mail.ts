// A message as a mail program reads it: headers in words, and its parts decoded.

export interface ReadMail {
  headers: Map<string, string>;
  text: string;
  html: string;
}

export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";\s]+)/.exec(headers.get("content-type") ?? "")?.[1];
  if (boundary === undefined) return { headers, text: decode(headers, body), html: "" };
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r?\n/, "")));
  const of = (type: string) => {
    const part = parts.find((one) => one.headers.get("content-type")?.startsWith(type));
    return part ? decode(part.headers, part.body) : "";
  };
  return { headers, text: of("text/plain"), html: of("text/html") };
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const plain = raw.replaceAll("\r\n", "\n");
  const end = plain.indexOf("\n\n");
  const lines = plain
    .slice(0, end)
    .replace(/\n[ \t]+/g, " ")
    .split("\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
    }),
  );
  return { headers, body: plain.slice(end + 2) };
}

/** Words of a header that are not in ASCII. */
function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, way: string, inner: string) =>
      way.toLowerCase() === "b"
        ? Buffer.from(inner, "base64").toString("utf8")
        : quoted(inner.replaceAll("_", " ")),
    );
}

function decode(headers: Map<string, string>, body: string): string {
  const way = headers.get("content-transfer-encoding")?.toLowerCase();
  if (way === "base64") return Buffer.from(body, "base64").toString("utf8");
  return way === "quoted-printable" ? quoted(body.replace(/=\n/g, "")) : body;
}

function quoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** The one address in a letter. */
export function linkIn({ text }: ReadMail): string {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  if (links.length !== 1) throw new Error(`${links.length} links in ${text}`);
  return links.join("");
}

/** Text behind the `=` of its link. */
export function tokenIn(mail: ReadMail): string {
  return linkIn(mail).split("=").at(-1) ?? "";
}
