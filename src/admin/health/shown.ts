// Health of the models for whoever may see it: admins see all of them, everyone else those that
// their group reaches, as far as the operator shows it.
import type { Config } from "../../config/config.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import type { InputOf } from "../call.ts";
import { groupOf, modelsOf, type ModelNeeds } from "../model/list.ts";
import { Recent } from "../recent.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { HealthCalls, ModelsHealth } from "./contract.ts";
import { daysUsual, readHealth, type HealthQuery } from "./read.ts";

export interface HealthNeeds {
  records: RecordNeeds;
  models: ModelNeeds;
  site: Pick<Config["site"], "showsStatus">;
}

const keptMs = 30_000;
const keptMost = 4;

/** For all but admins: the same answer, made anew now and then, of which each sees a part. */
export class ShownHealth {
  readonly needs: HealthNeeds;
  readonly #recent: Recent<Promise<ModelsHealth>>;

  constructor(needs: HealthNeeds) {
    this.needs = needs;
    this.#recent = new Recent(needs.records.clock, { forMs: keptMs, most: keptMost });
  }

  async forVisitors(query: HealthQuery): Promise<ModelsHealth> {
    const { site, models } = this.needs;
    if (!site.showsStatus) {
      const message =
        "The operator does not show how its models are doing: site.shows_status is off.";
      throw new GatewayError("permission_denied", { message });
    }
    return await this.#read(query, models.groups.find(defaultGroup));
  }

  /** Nothing of any model where it is not shown. */
  async forAccount(operator: Operator, query: HealthQuery): Promise<ModelsHealth> {
    const { site, models } = this.needs;
    return await this.#read(query, site.showsStatus ? await groupOf(models, operator) : null);
  }

  /** A name that the group does not reach may be another customer's own. */
  async #read(
    { days = daysUsual, model }: HealthQuery,
    group: Awaited<ReturnType<typeof groupOf>> | null | undefined,
  ): Promise<ModelsHealth> {
    const { records, models } = this.needs;
    const all = await this.#recent.of(String(days), () => readHealth(records, { days }));
    const names = new Set(group ? modelsOf(models, group).map(({ id }) => id) : []);
    const items = all.items.filter(
      (one) => names.has(one.model) && (!model || one.model === model),
    );
    return { ...all, items };
  }
}

export async function readModelsHealth(
  shown: ShownHealth,
  operator: Operator,
  { query }: InputOf<HealthCalls["readModels"]>,
): Promise<ModelsHealth> {
  if (operator.may.has("channels.read")) return await readHealth(shown.needs.records, query);
  return await shown.forAccount(operator, query);
}
