// The routes of the control plane: who may call what. Each answers `{success, message, data}`.
import { createToken } from "../admin/access-token/create.ts";
import { listTokenViews } from "../admin/access-token/list.ts";
import { revokeToken } from "../admin/access-token/revoke.ts";
import { changeAnnouncement } from "../admin/announcement/change.ts";
import { createAnnouncement } from "../admin/announcement/create.ts";
import { listAnnouncementViews } from "../admin/announcement/list.ts";
import { removeAnnouncement } from "../admin/announcement/remove.ts";
import { listAuditViews } from "../admin/audit/list.ts";
import { changeChannel } from "../admin/channel/change.ts";
import { createChannel } from "../admin/channel/create.ts";
import { listChannelViews } from "../admin/channel/list.ts";
import { testChannel } from "../admin/channel/probe.ts";
import { readChannel } from "../admin/channel/read.ts";
import { removeChannel } from "../admin/channel/remove.ts";
import { listGroupViews } from "../admin/group/list.ts";
import { removeGroup } from "../admin/group/remove.ts";
import { writeGroup } from "../admin/group/write.ts";
import { createInvitation } from "../admin/invitation/create.ts";
import { listInvitationViews } from "../admin/invitation/list.ts";
import { removeInvitation } from "../admin/invitation/remove.ts";
import { changeKey } from "../admin/key/change.ts";
import { createKey } from "../admin/key/create.ts";
import { listKeyViews } from "../admin/key/list.ts";
import { readKey } from "../admin/key/read.ts";
import { revokeKey } from "../admin/key/revoke.ts";
import { listLog, listOwnLog } from "../admin/log/list.ts";
import type { ControlParts } from "../admin/parts.ts";
import { listPriceViews } from "../admin/price/list.ts";
import { removePrice } from "../admin/price/remove.ts";
import { writePrice } from "../admin/price/write.ts";
import { createRedemptions } from "../admin/redemption/create.ts";
import { listRedemptionViews } from "../admin/redemption/list.ts";
import { redeem } from "../admin/redemption/redeem.ts";
import { removeRedemption } from "../admin/redemption/remove.ts";
import { resetFactors } from "../admin/second-factor/reset.ts";
import { readStatus, type StatusFacts } from "../admin/status/read.ts";
import { listOwnTaskViews, listTaskViews } from "../admin/task/list.ts";
import { listOwnUsage, listUsageViews } from "../admin/usage/list.ts";
import { createUserToken, revokeUserTokens } from "../admin/user/access-token.ts";
import { changeUser, disableUser } from "../admin/user/change.ts";
import { createUser } from "../admin/user/create.ts";
import { creditUser } from "../admin/user/credit.ts";
import { listUserViews } from "../admin/user/list.ts";
import { readSelf, readUser } from "../admin/user/read.ts";
import { listDeliveryViews, listOwnDeliveryViews } from "../admin/webhook/list.ts";
import { readWebhookSecret, rotateWebhookSecret } from "../admin/webhook/secret.ts";
import {
  body,
  forEnrolment,
  id,
  idAndBody,
  nothing,
  query,
  route,
  servedBy,
} from "./control-route.ts";
import type { ControlRoute, Incoming } from "./route.ts";

export type { StatusFacts };

/** For what may be asked without saying more. */
const idAndMaybeBody = async (incoming: Incoming) =>
  hasBody(incoming.headers) ? await idAndBody(incoming) : { ...(await id(incoming)), body: {} };
const maybeBody = async (incoming: Incoming) =>
  hasBody(incoming.headers) ? await body(incoming) : {};

const idBodyAndScope = async (incoming: Incoming) => ({
  ...(await idAndMaybeBody(incoming)),
  scope: incoming.scope,
});
const nameInPath = async ({ params }: Incoming) => ({ name: params["name"] ?? "" });
/** For names with spaces, which no path of ours takes. */
const nameInQuery = async (incoming: Incoming) => ({ name: incoming.query.get("name") ?? "" });

function hasBody(headers: Headers): boolean {
  return (headers.get("content-length") ?? "0") !== "0" || headers.has("transfer-encoding");
}

export function controlRoutes(parts: ControlParts, facts: StatusFacts): ControlRoute[] {
  const startedAtMs = parts.clock.monotonicMs();
  const status = async () => ({ facts, startedAtMs });

  const on = servedBy(parts);

  return [
    route("GET", "/api/channel", "admin", on(query, listChannelViews)),
    route("POST", "/api/channel", "admin", on(body, createChannel)),
    route("GET", "/api/channel/{id}", "admin", on(id, readChannel)),
    route("PATCH", "/api/channel/{id}", "admin", on(idAndBody, changeChannel)),
    route("DELETE", "/api/channel/{id}", "admin", on(id, removeChannel)),
    route("POST", "/api/channel/{id}/test", "admin", on(idBodyAndScope, testChannel)),
    route("GET", "/api/token", "user", on(query, listKeyViews)),
    route("POST", "/api/token", "user", on(body, createKey)),
    route("GET", "/api/token/{id}", "user", on(id, readKey)),
    route("PATCH", "/api/token/{id}", "user", on(idAndBody, changeKey)),
    route("DELETE", "/api/token/{id}", "user", on(id, revokeKey)),
    route("GET", "/api/group", "admin", on(query, listGroupViews)),
    route("POST", "/api/group", "admin", on(body, writeGroup)),
    route("DELETE", "/api/group", "admin", on(nameInQuery, removeGroup)),
    route("DELETE", "/api/group/{name}", "admin", on(nameInPath, removeGroup)),
    route("GET", "/api/price", "admin", on(query, listPriceViews)),
    route("POST", "/api/price", "admin", on(body, writePrice)),
    route("DELETE", "/api/price", "admin", on(query, removePrice)),
    route("GET", "/api/user", "admin", on(query, listUserViews)),
    route("POST", "/api/user", "admin", on(body, createUser)),
    forEnrolment(route("GET", "/api/user/self", "user", on(nothing, readSelf))),
    route("GET", "/api/user/{id}", "admin", on(id, readUser)),
    route("PATCH", "/api/user/{id}", "admin", on(idAndBody, changeUser)),
    route("DELETE", "/api/user/{id}", "admin", on(id, disableUser)),
    route("POST", "/api/user/{id}/credit", "admin", on(idAndBody, creditUser)),
    route("POST", "/api/user/{id}/token", "user", on(idAndMaybeBody, createUserToken)),
    route("DELETE", "/api/user/{id}/token", "user", on(id, revokeUserTokens)),
    route("DELETE", "/api/user/{id}/second-factor", "admin", on(id, resetFactors)),
    route("GET", "/api/access-token", "user", on(query, listTokenViews)),
    route("POST", "/api/access-token", "user", on(maybeBody, createToken)),
    route("DELETE", "/api/access-token/{id}", "user", on(id, revokeToken)),
    route("GET", "/api/invitation", "admin", on(query, listInvitationViews)),
    route("POST", "/api/invitation", "admin", on(maybeBody, createInvitation)),
    route("DELETE", "/api/invitation/{id}", "admin", on(id, removeInvitation)),
    route("GET", "/api/redemption", "admin", on(query, listRedemptionViews)),
    route("POST", "/api/redemption", "admin", on(body, createRedemptions)),
    route("DELETE", "/api/redemption/{id}", "admin", on(id, removeRedemption)),
    route("POST", "/api/redemption/redeem", "user", on(body, redeem)),
    route("GET", "/api/announcement", "user", on(query, listAnnouncementViews)),
    route("POST", "/api/announcement", "admin", on(body, createAnnouncement)),
    route("PATCH", "/api/announcement/{id}", "admin", on(idAndBody, changeAnnouncement)),
    route("DELETE", "/api/announcement/{id}", "admin", on(id, removeAnnouncement)),
    route("GET", "/api/audit", "admin", on(query, listAuditViews)),
    route("GET", "/api/log", "admin", on(query, listLog)),
    route("GET", "/api/log/self", "user", on(query, listOwnLog)),
    route("GET", "/api/usage", "admin", on(query, listUsageViews)),
    route("GET", "/api/usage/self", "user", on(query, listOwnUsage)),
    route("GET", "/api/task", "admin", on(query, listTaskViews)),
    route("GET", "/api/task/self", "user", on(query, listOwnTaskViews)),
    route("GET", "/api/webhook", "admin", on(query, listDeliveryViews)),
    route("GET", "/api/webhook/self", "user", on(query, listOwnDeliveryViews)),
    route("GET", "/api/webhook-secret", "user", on(nothing, readWebhookSecret)),
    route("POST", "/api/webhook-secret", "user", on(nothing, rotateWebhookSecret)),
    route("GET", "/api/status", "user", on(status, readStatus)),
  ];
}
