// What a vendor keeps under an id of its own: files, containers, stores, caches, prompts. All
// accounts share the vendor's account, so an id alone must not open what another one has there.
import { isObject } from "../../core/json.ts";
import type { NeededOrigins, RequiredOrigin } from "../format.ts";

const unknown =
  "names something of the upstream's that this account did not get here. Send the content itself.";

/** Ids that a request names, with the fields they stand in. */
export class VendorObjects {
  readonly named: RequiredOrigin[] = [];

  /** Several ids, or one, or none: whatever stands there. */
  add(ids: unknown, param: string): void {
    if (typeof ids === "string" && ids !== "") this.named.push({ id: ids, param, unknown });
    if (Array.isArray(ids)) for (const [at, id] of ids.entries()) this.add(id, `${param}.${at}`);
  }

  /** Those that stand in these fields of an object. */
  addFrom(holder: unknown, fields: readonly string[], param: string): void {
    if (!isObject(holder)) return;
    for (const field of fields) {
      if (holder[field] !== undefined) this.add(holder[field], `${param}.${field}`);
    }
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
