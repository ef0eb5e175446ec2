// Facts that a cloud has to know of a channel besides its address: JSON, null for none.
import type { Migration } from "../../migrate.ts";

export const channelVendor: Migration = () => ["alter table channel add column vendor text"];
