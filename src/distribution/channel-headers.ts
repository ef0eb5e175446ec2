// The headers of a channel at rest: names in clear, and each value sealed for its channel, because
// many vendors take their credentials there. Rows of versions that did not seal have plain texts.
import { hiddenValue } from "../config/entities.ts";
import type { ChannelId } from "../core/ids.ts";
import type { Seal, TwofoldSeal } from "../core/seal.ts";

type StoredHeaders = Record<string, string | { sealed: string }>;

interface HeadersRow {
  id: ChannelId;
  headers: string;
}

export function headerNames({ headers }: Pick<HeadersRow, "headers">): string[] {
  return Object.keys(readStored(headers));
}

export function hideHeaders(row: Pick<HeadersRow, "headers">): Record<string, string> {
  return Object.fromEntries(headerNames(row).map((name) => [name, hiddenValue]));
}

/** Null where one of them was sealed with another secret. */
export function openHeaders(seal: Seal, row: HeadersRow): Record<string, string> | null {
  const opened: Record<string, string> = {};
  for (const [name, value] of Object.entries(readStored(row.headers))) {
    if (typeof value === "string") opened[name] = value;
    else {
      try {
        opened[name] = seal.open(value.sealed, contextOf(row.id, name));
      } catch {
        return null;
      }
    }
  }
  return opened;
}

/** Keep the sealed form of an unchanged value, so that an unchanged row is the same row. */
export function sealHeaders(
  seal: Seal,
  headers: Readonly<Record<string, string>>,
  before: HeadersRow,
): string {
  const stored = readStored(before.headers);
  const opened = openHeaders(seal, before) ?? {};
  const sealed = Object.entries(headers).map(([name, value]) => {
    const kept = opened[name] === value ? stored[name] : undefined;
    const isSealed = typeof kept === "object";
    return [name, isSealed ? kept : { sealed: seal.close(value, contextOf(before.id, name)) }];
  });
  return JSON.stringify(Object.fromEntries(sealed));
}

/** The same headers under the present secret; null where they are already. */
export function renewHeaders(seal: TwofoldSeal, row: HeadersRow): string | null {
  let isSame = true;
  const renewed = Object.entries(readStored(row.headers)).map(([name, value]) => {
    if (typeof value === "string") return [name, value];
    const sealed = seal.renew(value.sealed, contextOf(row.id, name));
    isSame &&= sealed === null;
    return [name, sealed === null ? value : { sealed }];
  });
  return isSame ? null : JSON.stringify(Object.fromEntries(renewed));
}

/** Whether a version that did not seal has written it. */
export function hasPlainHeaders({ headers }: Pick<HeadersRow, "headers">): boolean {
  return Object.values(readStored(headers)).some((value) => typeof value === "string");
}

function readStored(text: string): StoredHeaders {
  return JSON.parse(text);
}

/** A value under another header's name does not open. */
function contextOf(id: ChannelId, name: string): string {
  return `header ${name} of ${id}`;
}
