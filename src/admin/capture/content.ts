// Content of one request and its answer, where that was captured. An admin who reads what somebody
// else said leaves a line in the audit log.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import { keptMs } from "../../observe/capture/captures.ts";
import type { CapturedContent } from "../../observe/capture/order.ts";
import { findCaptured, type CapturedRow } from "../../observe/capture/queries.ts";
import { readUsageRows } from "../../observe/listing/read-usage.ts";
import { noteAlone } from "../audit/entry.ts";
import { assertMayUse } from "../authority.ts";
import type { ContentView } from "./contract.ts";
import { existing, toSeconds } from "../input.ts";
import { toOwnFilter } from "../log/filter.ts";
import { awaitLog } from "../record-needs.ts";
import type { CaptureNeeds } from "./needs.ts";

export async function readCaptured(
  needs: CaptureNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<ContentView> {
  const row = await findReadable(needs, id);
  const owner = existing(await findAccount(needs.database, row.account_id));
  await assertMayUse(needs, operator, { account: owner, permission: "contents.read" });
  if (owner.id !== operator.accountId) {
    const changes = { account: owner.id };
    await noteAlone(needs, operator, { action: "capture.read", target: id, changes });
  }
  const { upstream, ...own } = open(needs, row);
  return { ...toView(row), ...own, upstream };
}

/** Another account's capture is answered like none; where it went is the gateway's affair. */
export async function readOwnCaptured(
  needs: CaptureNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<ContentView> {
  const row = await findReadable(needs, id);
  if (!(await isOwn(needs, operator, row))) throw notCaptured(id);
  const { upstream: _upstream, ...own } = open(needs, row);
  return { ...toView(row), ...own };
}

/** A member of an organisation reads what came by one of its keys, as its log says. */
async function isOwn(
  needs: CaptureNeeds,
  operator: Operator,
  { account_id, request_id }: CapturedRow,
): Promise<boolean> {
  if (account_id !== operator.accountId) return false;
  if (operator.seat?.role !== "member") return true;
  const filter = await toOwnFilter(needs, operator, { request_id });
  await awaitLog(needs);
  const { rows } = await readUsageRows(needs.store, filter, { limit: 1, offset: 0 });
  return rows.length > 0;
}

async function findReadable({ database, clock }: CaptureNeeds, id: string): Promise<CapturedRow> {
  const row = await findCaptured(database, id);
  if (!row || row.at_ms + keptMs <= clock.nowMs()) throw notCaptured(id);
  return row;
}

function notCaptured(id: string): GatewayError {
  const message = `The content of request ${id} was not captured, or its day is over.`;
  return new GatewayError("not_found", { param: "id", message });
}

function open({ seal }: CaptureNeeds, { sealed, request_id }: CapturedRow): CapturedContent {
  return JSON.parse(seal.open(sealed, request_id)) as CapturedContent;
}

function toView({ request_id, at_ms }: CapturedRow) {
  const expires_at = toSeconds(at_ms + keptMs);
  return { request_id, captured_at: toSeconds(at_ms), expires_at };
}
