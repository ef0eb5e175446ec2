// Outcome of one request or task, found by the id that its client was told.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { usualPages } from "../contract/basics.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { ListedLog, LogTrace } from "./contract.ts";
import { listLog, listOwnLog } from "./list.ts";

type List = (
  needs: RecordNeeds,
  operator: Operator,
  input: { query: { p: number; page_size: number; request_id: string } },
) => Promise<ListedLog>;

export const showLog = shownBy(listLog);
/** Another account's row is answered like none. */
export const showOwnLog = shownBy(listOwnLog);

function shownBy(list: List) {
  return async (
    needs: RecordNeeds,
    operator: Operator,
    { id }: { id: string },
  ): Promise<LogTrace> => {
    const query = { p: 1, page_size: usualPages.usual, request_id: id };
    const { items } = await list(needs, operator, { query });
    if (items.length > 0) return { items };
    throw new GatewayError("not_found", { param: "id", message: missing(id) });
  };
}

function missing(id: string): string {
  const reasons = "before it reached a model, or is older than retention.log_days";
  return `The log has no request or task ${id} of yours: it was refused ${reasons}.`;
}
