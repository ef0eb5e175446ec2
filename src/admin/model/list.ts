// What an account's own group reaches and what that costs, for everyone who has an account.
import { GatewayError } from "../../core/errors.ts";
import { listModels, type ListNeeds } from "../../gateway/list-models.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Groups } from "../../identity/groups.ts";
import { findAccount } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import type { Listed, ModelView, OwnGroupView } from "../contract.ts";
import { existing } from "../input.ts";
import { cutPage, readPage } from "../page.ts";
import { readPrefix } from "../search.ts";

export interface ModelNeeds extends ListNeeds {
  database: Database;
  groups: Groups;
}

const partsPerOne = 1_000_000;

/** Those of one's own group; an admin may ask for another. */
export async function listModelViews(
  needs: ModelNeeds,
  operator: Operator,
  query: URLSearchParams,
): Promise<Listed<ModelView>> {
  const page = readPage(query);
  const { name, multiplierPpm } = await groupOf(needs, operator, query.get("group"));
  const { prefix = "" } = readPrefix(query);
  const multiplier = multiplierPpm / partsPerOne;
  const models = listModels(needs, { group: name, models: null, multiplierPpm });
  const found = models.filter(({ id }) => id.toLowerCase().startsWith(prefix.toLowerCase()));
  const views = found.map((model) => ({
    id: model.id,
    owned_by: model.ownedBy,
    endpoints: [...model.endpoints],
    input_tokens_max: model.inputTokensMax,
    output_tokens_max: model.outputTokensMax,
    group: name,
    multiplier,
    price: model.price,
  }));
  return cutPage(page, views);
}

/** The groups that one may give a key: for an ordinary account, its own. */
export async function readOwnGroup(needs: ModelNeeds, operator: Operator): Promise<OwnGroupView> {
  const { name, multiplierPpm } = await groupOf(needs, operator, null);
  return { name, multiplier: multiplierPpm / partsPerOne };
}

async function groupOf(
  { database, groups }: ModelNeeds,
  operator: Operator,
  asked: string | null,
): Promise<{ name: string; multiplierPpm: number }> {
  const { group_name: own } = existing(await findAccount(database, operator.accountId));
  const wanted = asked || own;
  if (operator.role === "user" && wanted !== own) {
    throw new GatewayError("permission_denied", { param: "group" });
  }
  const group = groups.find(wanted);
  if (!group) throw new GatewayError("not_found", { param: "group" });
  return group;
}
