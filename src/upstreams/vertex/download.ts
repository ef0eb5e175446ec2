// Addresses of files that the cloud keeps for a project. The channel's credential opens them, and
// goes to nobody else.
import { encodedPath } from "../kit/google/path.ts";
import type { Address } from "../upstream.ts";

const storageHost = "storage.googleapis.com";
const ownHost = /(?:^|\.)googleapis\.com$/;
const bucketFile = /^gs:\/\/([^/]+)\/(.+)$/;

/** Null where it is no place of a file. */
export function fileUrl(text: string): URL | null {
  const [, bucket, name] = bucketFile.exec(text) ?? [];
  if (bucket === undefined || name === undefined) return URL.parse(text);
  const path = encodedPath(`${bucket}/${name}`);
  return path === null ? null : URL.parse(`https://${storageHost}/${path}`);
}

/**
 * With the credential of the call that named the file, where the same host has it, or where Google
 * itself named a file of its storage: a proxy could name anybody's.
 */
export function downloadAddress(file: URL, operation: Address): Address {
  const { origin, hostname, protocol } = new URL(operation.url);
  const isStored = file.protocol === "https:" && file.hostname === storageHost;
  const isNamedByOwner = protocol === "https:" && ownHost.test(hostname);
  const isOwn = file.origin === origin || (isStored && isNamedByOwner);
  return isOwn ? { ...operation, url: file.href } : { url: file.href, headers: {} };
}
