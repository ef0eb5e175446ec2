// The models and prices that visitors see, where the operator shows them: those of the group that
// new accounts are in.
import { GatewayError } from "../../core/errors.ts";
import { defaultGroup } from "../../identity/groups.ts";
import type { Listed } from "../contract/reply.ts";
import type { ModelView } from "../model/contract.ts";
import type { ListedModel } from "../../gateway/list-models.ts";
import { modelsOf, viewModels, type ModelFilter, type ModelNeeds } from "../model/list.ts";
import { Recent } from "../recent.ts";
import type { SiteNeeds } from "./read.ts";

const keptMs = 2000;

export class SiteModels {
  readonly #site: SiteNeeds["site"];
  readonly #needs: ModelNeeds;
  readonly #recent: Recent<ListedModel[]>;

  constructor({ site }: Pick<SiteNeeds, "site">, needs: ModelNeeds) {
    this.#site = site;
    this.#needs = needs;
    this.#recent = new Recent(needs.clock, { forMs: keptMs, most: 1 });
  }

  list(query: ModelFilter): Listed<ModelView> {
    const needs = this.#needs;
    const group = needs.groups.find(defaultGroup);
    if (!this.#site.showsModels || !group) {
      const message =
        "The operator does not show its models to visitors: site.shows_models is off.";
      throw new GatewayError("permission_denied", { message });
    }
    // Whether one can be reached is told as it is now.
    const models = this.#recent.of(group.name, () => modelsOf(needs, group));
    return viewModels(needs, group, query, models);
  }
}
