// Says what the media in a prompt is: by its bytes where they came along, else by its address.
import { describeMedia } from "../writer/describe-media.ts";

export function describeImage(url: string): string {
  return describeDataUrl(url) ?? `an image at ${url}`;
}

interface GivenFile {
  name: string | undefined;
  /** A data URL, or bare base64. */
  data: string | null | undefined;
  /** Address of it when it did not come along. */
  at: string | null | undefined;
}

export function describeFile({ name, data, at }: GivenFile): string {
  const named = `a file named ${name ?? "nothing"}`;
  if (data) return `${named}: ${describeDataUrl(data) ?? describeMedia(data)}`;
  return at ? `${named} at ${at}` : named;
}

function describeDataUrl(url: string): string | null {
  const [, head, data] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
  if (head === undefined || data === undefined) return null;
  const isBase64 = head.endsWith(";base64");
  return describeMedia(isBase64 ? data : new TextEncoder().encode(data));
}
