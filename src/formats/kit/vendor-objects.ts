// Objects a vendor keeps under an id of its own: files, containers, stores, caches, prompts. All
// accounts share the vendor's account, so an id alone must not open what another one has there.
import { isObject } from "../../core/json.ts";
import type { NeededOrigins, RequiredOrigin } from "../format.ts";

const unknown =
  "names something of the upstream's that this account did not get here. Send the content itself.";

/** An address that anybody may fetch is no file of the vendor's. */
export function isVendorFile(uri: string): boolean {
  const url = URL.parse(uri);
  if (!url || !/^https?:$/.test(url.protocol)) return true;
  return url.hostname.startsWith("generativelanguage.") || vendorPath.test(unescaped(url.pathname));
}

const vendorPath = /\/v1\w*\/+files\//i;

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Ids that a request names, with the fields they stand in. */
export class VendorObjects {
  readonly named: RequiredOrigin[] = [];

  add(id: string, param: string): void {
    this.named.push({ id, param, unknown });
  }

  /** Most requests name none, and theirs stay as they are. */
  joinedTo(origins: NeededOrigins): NeededOrigins {
    return this.named.length === 0 ? origins : { ...origins, objects: this.named };
  }
}

/** The texts that stand in these fields, of what a reply brings. */
export function idsIn(holder: unknown, fields: readonly string[]): string[] {
  if (!isObject(holder)) return [];
  return fields.map((field) => holder[field]).filter(isId);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
