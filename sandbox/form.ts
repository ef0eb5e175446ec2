// Reads a form with files, which is how SDKs send media.

export type FormValue = string | FormFile;

export interface FormFile {
  type: string;
  bytes: Uint8Array;
}

/** Thrown for a form that cannot be read. */
export class FormError extends Error {
  override readonly name = "FormError";
}

const blankLine = "\r\n\r\n";

/** Its fields in their order; null when the body is no form. */
export function readFields(contentType: string, body: Uint8Array): [string, FormValue][] | null {
  if (!/^multipart\/form-data\b/i.test(contentType)) return null;
  const boundary = /\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw new FormError("it has no boundary");
  return partsOf(Buffer.from(body), name).map(readPart);
}

function partsOf(body: Buffer, boundary: string): Buffer[] {
  const opening = `--${boundary}`;
  const between = `\r\n${opening}`;
  const parts: Buffer[] = [];
  if (body.indexOf(opening) !== 0) throw new FormError("it does not begin with its boundary");
  let at = opening.length;
  while (body.subarray(at, at + 2).toString() !== "--") {
    const end = body.indexOf(between, at);
    if (end === -1) throw new FormError("it does not end");
    parts.push(body.subarray(at, end));
    at = end + between.length;
  }
  return parts;
}

function readPart(part: Buffer): [string, FormValue] {
  const end = part.indexOf(blankLine);
  if (end === -1) throw new FormError("a field has no content");
  const head = part.subarray(0, end).toString();
  const content = part.subarray(end + blankLine.length);
  const [, name] = /\bname="([^"]*)"/i.exec(head) ?? [];
  if (name === undefined) throw new FormError("a field has no name");
  if (!/\bfilename="/i.test(head)) return [name, content.toString()];
  const [, type = "application/octet-stream"] = /^content-type:\s*([^\s;]+)/im.exec(head) ?? [];
  return [name, { type, bytes: content }];
}
