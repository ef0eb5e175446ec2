// Reads a form with files, which is how the SDKs send a video's request.
import { Refusal } from "../errors.ts";

export type FormValue = string | FormFile;

export interface FormFile {
  type: string;
  bytes: Uint8Array;
}

const blankLine = "\r\n\r\n";

/** Null when the body is no form. */
export function readForm(contentType: string, body: Uint8Array): Map<string, FormValue> | null {
  if (!/^multipart\/form-data\b/i.test(contentType)) return null;
  const boundary = /\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw broken();
  const fields = new Map<string, FormValue>();
  for (const part of partsOf(Buffer.from(body), name)) {
    const [field, value] = readPart(part);
    if (fields.has(field)) throw duplicate(field);
    fields.set(field, value);
  }
  return fields;
}

function partsOf(body: Buffer, boundary: string): Buffer[] {
  const opening = `--${boundary}`;
  const between = `\r\n${opening}`;
  const parts: Buffer[] = [];
  if (body.indexOf(opening) !== 0) throw broken();
  let at = opening.length;
  while (body.subarray(at, at + 2).toString() !== "--") {
    const end = body.indexOf(between, at);
    if (end === -1) throw broken();
    parts.push(body.subarray(at, end));
    at = end + between.length;
  }
  return parts;
}

function readPart(part: Buffer): [string, FormValue] {
  const end = part.indexOf(blankLine);
  if (end === -1) throw broken();
  const head = part.subarray(0, end).toString();
  const content = part.subarray(end + blankLine.length);
  const [, name] = /\bname="([^"]*)"/i.exec(head) ?? [];
  if (name === undefined) throw broken();
  if (!/\bfilename="/i.test(head)) return [name, content.toString()];
  const [, type = "application/octet-stream"] = /^content-type:\s*([^\s;]+)/im.exec(head) ?? [];
  return [name, { type, bytes: content }];
}

function broken(): Refusal {
  return new Refusal(400, { message: "We could not parse the form." });
}

function duplicate(param: string): Refusal {
  const message = `Duplicate parameter: '${param}'.`;
  return new Refusal(400, { message, param, code: "duplicate_parameter" });
}
