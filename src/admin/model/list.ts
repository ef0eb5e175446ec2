// Models that an account's own group reaches and their prices, for everyone who has an account.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import { standingOf } from "../../distribution/standing.ts";
import { formFields } from "../../families/index.ts";
import {
  listModels,
  serversOf,
  type ListedModel,
  type ListNeeds,
  type Server,
} from "../../gateway/list-models.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Groups } from "../../identity/groups.ts";
import { findAccount } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { existing } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { ModelCalls, ModelView, OwnGroupView } from "./contract.ts";

export interface ModelNeeds extends ListNeeds {
  clock: Clock;
  database: Database;
  groups: Groups;
}

interface PricedGroup {
  name: string;
  multiplierPpm: number;
}

const partsPerOne = 1_000_000;
/** Query of any list of models. */
export type ModelFilter = Omit<InputOf<ModelCalls["list"]>["query"], "group">;

/** Those of one's own group; an admin may ask for another, and sees who serves them. */
export async function listModelViews(
  needs: ModelNeeds,
  operator: Operator,
  { query }: InputOf<ModelCalls["list"]>,
): Promise<Listed<ModelView>> {
  const group = await groupOf(needs, operator, query.group);
  const listed = viewModels(needs, group, query);
  if (!operator.may.has("channels.read")) return listed;
  const nowMs = needs.clock.monotonicMs();
  const items = listed.items.map((view) => ({
    ...view,
    channels: serversOf(needs, group.name, view.id).map((one) => toServing(one, nowMs)),
  }));
  return { ...listed, items };
}

/** Models that a group reaches. */
export function viewModels(
  needs: ModelNeeds,
  { name, multiplierPpm }: PricedGroup,
  query: ModelFilter,
  models = modelsOf(needs, { name, multiplierPpm }),
): Listed<ModelView> {
  const { q: prefix = "", kind } = query;
  const nowMs = needs.clock.monotonicMs();
  const multiplier = multiplierPpm / partsPerOne;
  const matching = models.filter(
    (model) =>
      model.id.toLowerCase().startsWith(prefix.toLowerCase()) &&
      (kind === undefined || model.kind === kind),
  );
  const cut = cutPage(pageOf(query), matching);
  const views = cut.items.map((model) => ({
    ...toView(model),
    group: name,
    multiplier,
    reachable: serversOf(needs, name, model.id).some((one) => stateOf(one, nowMs) === "open"),
  }));
  return { ...cut, items: views };
}

/** All of them, with their prices. */
export function modelsOf(needs: ListNeeds, { name, multiplierPpm }: PricedGroup): ListedModel[] {
  return listModels(needs, { group: name, models: null, multiplierPpm });
}

function toView(model: ListedModel): Omit<ModelView, "group" | "multiplier" | "reachable"> {
  return {
    id: model.id,
    name: model.name,
    kind: model.kind,
    family: model.family,
    owned_by: model.ownedBy,
    endpoints: [...model.endpoints],
    input_tokens_max: model.inputTokensMax,
    output_tokens_max: model.outputTokensMax,
    fields: formFields(model.id).map(({ values, isOpen, range, isRequired, ...field }) => ({
      ...field,
      values: [...values],
      open: isOpen,
      min: range?.min ?? null,
      max: range?.max ?? null,
      required: isRequired,
    })),
    price: model.price,
  };
}

function stateOf({ channel, model }: Server, nowMs: number) {
  return standingOf(channel, { nowMs, names: [model] }).state;
}

function toServing(server: Server, nowMs: number): NonNullable<ModelView["channels"]>[number] {
  const { id, name, priority, weight } = server.channel.settings;
  return { id, name, priority, weight, state: stateOf(server, nowMs) };
}

/** The groups that one may give a key: for most, their own. */
export async function readOwnGroup(needs: ModelNeeds, operator: Operator): Promise<OwnGroupView> {
  const own = await groupOf(needs, operator);
  const others = needs.groups.all.filter(
    ({ name }) => operator.may.has("groups.write") && name !== own.name,
  );
  return { ...toNamed(own), groups: [own, ...others].map(toNamed) };
}

function toNamed({ name, multiplierPpm }: PricedGroup): { name: string; multiplier: number } {
  return { name, multiplier: multiplierPpm / partsPerOne };
}

/** One's own group; another is for those who see prices. */
export async function groupOf(
  { database, groups }: ModelNeeds,
  operator: Operator,
  named?: string,
): Promise<PricedGroup> {
  const { group_name: own } = existing(await findAccount(database, operator.accountId));
  const wanted = named || own;
  if (!operator.may.has("money.read") && wanted !== own) {
    throw new GatewayError("permission_denied", { param: "group" });
  }
  const group = groups.find(wanted);
  if (!group) throw new GatewayError("not_found", { param: "group" });
  return group;
}
