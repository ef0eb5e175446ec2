// Vendors that a channel can be made for by name: the table of docs/channels.md is made of this.
import { presets } from "../../src/upstreams/presets.ts";
import { layOut } from "./conversion-table.ts";

export function presetsTable(): string {
  const rows = presets.map(({ name, title, baseUrl }) => [`\`${name}\``, title, `\`${baseUrl}\``]);
  return layOut([["Preset", "Vendor", "Address"], ...rows]);
}
