// The models and prices that visitors see, where the operator shows them: those of the group that
// new accounts are in.
import { GatewayError } from "../../core/errors.ts";
import { defaultGroup } from "../../identity/groups.ts";
import type { Listed } from "../contract/reply.ts";
import type { ModelView } from "../model/contract.ts";
import { viewModels, type ModelFilter, type ModelNeeds } from "../model/list.ts";
import type { SiteNeeds } from "./read.ts";

export function listSiteModels(
  { site }: Pick<SiteNeeds, "site">,
  needs: ModelNeeds,
  query: ModelFilter,
): Listed<ModelView> {
  const group = needs.groups.find(defaultGroup);
  if (!site.showsModels || !group) {
    const message = "The operator does not show its models to visitors: site.shows_models is off.";
    throw new GatewayError("permission_denied", { message });
  }
  return viewModels(needs, group, query);
}
