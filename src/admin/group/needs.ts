// What the verbs of groups work with.
import type { Groups } from "../../identity/groups.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { Reload } from "../reload.ts";

export interface GroupNeeds extends NotingNeeds {
  groups: Groups;
  reload: Reload;
}
