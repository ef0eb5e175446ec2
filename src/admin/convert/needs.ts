// Needs of a dry run of a conversion.
import type { Seal } from "../../core/seal.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { DryRunNeeds } from "../../gateway/text/dry-run.ts";
import type { Groups } from "../../identity/groups.ts";
import type { Database } from "../../store/database.ts";

export interface ConvertNeeds {
  database: Database;
  seal: Seal;
  channels: Channels;
  groups: Groups;
  running: DryRunNeeds;
}
