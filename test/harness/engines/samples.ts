// Sample parameters of each query, so that it can be explained: by the names of its parameters, and
// where those do not say enough, by its own.
import { mainVersions } from "../../../src/store/sqlite/open.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { channelMeasures, measures } from "../../../src/observe/rollup/rollup.ts";
import { toSource } from "../../../src/observe/slots/reading/queries.ts";
import type { Explainer } from "./explainer.ts";

/** The tables of rows that are written whole. */
const tables: Readonly<Record<string, string>> = {
  insertIdentity: "oauth_identity",
  insertOfIdentity: "oauth_identity",
  beginTotp: "totp",
  insertOfTotp: "totp",
  confirmOfTotp: "totp",
  insertOfPasskey: "passkey",
  spendOfTicket: "spent_ticket",
  insertLink: "sign_in_link",
  insertOfMail: "mail",
  insertOfToken: "mail_token",
  insertSession: "session",
  insertToken: "access_token",
  replaceToken: "access_token",
  insertInvitation: "invitation",
  insertInvitedAccount: "account",
  insertAccount: "account",
  insertsOfAccount: "account",
  insertKey: "api_key",
  insertsOfKey: "api_key",
  writeGroup: "account_group",
  writeOfGroup: "account_group",
  insertOfEntry: "audit_entry",
  insertRedemptions: "redemption",
  writeNote: "model_note",
  insertAnnouncement: "announcement",
  insertOfAnnouncement: "announcement",
  updateAnnouncement: "announcement",
  insertOfImported: "imported",
  insertOfCode: "redemption",
  saveAsset: "asset",
  writePrice: "price",
  writeVirtualModel: "virtual_model",
  writeOfPrice: "price",
  writeChannel: "channel",
  writesOfChannel: "channel",
  saveOrigins: "origin",
  insertCapture: "capture",
  insertCaptured: "captured",
  insertBudget: "budget",
  insertOfBudget: "budget",
  updateBudget: "budget",
  upsertOfMember: "member",
  insertProject: "project",
  insertRole: "role",
  insertOfProject: "project",
};

class Columns implements Disposable {
  readonly #connection = new SqliteConnection({ path: ":memory:" });

  constructor() {
    this.#connection.migrate(mainVersions());
  }

  sample(table: string): Record<string, unknown> {
    const sql = `select name, type from pragma_table_info('${table}')`;
    const columns = this.#connection.all({ sql, parameters: [] });
    return Object.fromEntries(
      columns.map(({ name, type }) => [String(name), /int/i.test(String(type)) ? 1 : "x"]),
    );
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** A row of the table, with something in every column. */
function row(table: string): Record<string, unknown> {
  using connection = new Columns();
  return connection.sample(table);
}

const some = { limit: 1, offset: 0 };
const seat = { organisation_id: "x", person_id: "x" };
const place = { notice_id: "x", destination: "x", attempts: 1 };
const days = { fromDay: 1, toDay: 2 };
const sealed = { table: "mail", column: "data", key: "id", atOnce: 1 };
const slots = { fromSlot: 1, toSlot: 2, only: { model: ["m"] } };
const source = toSource("usage_slot", slots);
const dayState = Object.fromEntries(
  ["day", ...measures, ...channelMeasures].map((column) => [column, 1]),
);
const ofFacet = { facet: "key_id", within: [slots], beside: [slots] };
const window = {
  id: "x",
  budgetId: "x",
  accountId: "x",
  subjectId: null,
  name: "x",
  mode: "hard",
  limitMicros: 1,
  openedAtMs: 1,
  closesAtMs: 2,
};
const stretch = { after: { atMs: 1, id: "x" }, end: { atMs: 1, id: "x" } };
const entries = { accountId: "x", keyId: "x", kind: "post", ids: ["x"], fromMs: 1, toMs: 2 };

/** Behind the database and the store, where names alone do not say what is meant. */
const exact: Readonly<Record<string, readonly unknown[]>> = {
  listUsage: [
    { accountId: "a", keyIds: ["k"], model: "m", channelId: "c", status: 1, fromMs: 1, toMs: 2 },
    { ...some, after: { atMs: 1, id: "x" } },
  ],
  countUsage: [{ requestId: "task_01m7khts3akfvy7736qjkhr8bk" }, 5],
  listBehind: [1, 5],
  listSums: ["usage_day", { filter: { ...days, model: "m" }, by: ["day", "key_id"] }, some],
  findOtherPayer: [["a", "b"], 1],
  insertAccountOf: [row("oauth_identity"), { account: row("account"), invitationId: "x" }],
  touchIdentity: ["x", { username: "x", display_name: "x", used_at_ms: 1 }],
  useOfPasskey: [row("passkey"), { counter: 1, nowMs: 1 }],
  deleteIdentity: [row("oauth_identity"), { kept: "x", steps: [] }],
  updateKey: ["x", { row: { name: "x" }, limitMicros: 1 }],
  updateAccount: ["x", { group_name: "x" }],
  updatesOfAccount: ["x", { group_name: "x" }],
  updateAccountAndEndSessions: ["x", { group_name: "x" }],
  deleteOldSessions: [{ seenAtMs: 1, createdAtMs: 1 }],
  claimAnswer: [{ row: row("kept_answer"), expiredMs: 1, over: ["x"] }],
  emptyAnswers: [1],
  releaseAnswer: [{ id: "x", request_id: "x" }],
  claimTasks: [{ owner: "x", untilMs: 1, expiredMs: 1, withOwn: true, limit: 1 }],
  takeTask: [{ id: "x", states: ["queued"], owner: "x", untilMs: 1 }],
  namesOfTargets: [["acc_x", "key_x", "chn_x"]],
  pastNamesOf: [["chn_x"]],
  readTasks: [["x"]],
  claimDelivery: [{ id: "x", attempts: 1, nowMs: 1, untilMs: 2 }],
  saveAttempt: [
    { id: "x", attempts: 1 },
    { attempts: 1, next_attempt_at_ms: 1, status: 1, error: "x", delivered_at_ms: 1, tries: "[]" },
  ],
  writeProfile: ["x", { display_name: "x", language: "x", zone: "x", low_balance_micros: 1 }],
  upsertOfPending: ["x", "x"],
  proofOfAddress: [row("account_email")],
  readSpentWindows: [{ percent: 1, nowMs: 1, sinceMs: 1, most: 1 }],
  deletesOfTokens: ["x", "reset"],
  findAccountByEmail: ["x"],
  readEmails: [["x"]],
  claimCredit: ["x", "x"],
  countToBox: [{ boxDigest: "x", kinds: ["reset"], sinceMs: 1 }],
  countSent: [1],
  findOrigins: ["x", ["x"]],
  readSizes: [[{ id: "x", kind: "organisation" }]],
  insertOfCap: [window],
  readDueMail: [{ nowMs: 1, most: 1 }],
  claimMail: [{ id: "x", tries: 1 }, 1],
  saveMailTry: [
    { id: "x", tries: 1 },
    { state: "sent", sent_at_ms: 1, error: "x" },
  ],
  forgetMail: [1],
  writeKeyUse: [[["x", 1]]],
  readSealed: [sealed, "x"],
  updateOfSealed: [sealed, { before: { id: "x", text: "x" }, after: "y" }],
  readLowAccounts: [1, 1],
  readOwnLowAccounts: [1],
  readLowKeys: [{ percent: 1, nowMs: 1, most: 1 }],
  readFailingAddresses: [1, 1],
  openNotice: [{ row: row("notice"), destinations: ["x"] }],
  readDueNotices: [{ nowMs: 1, except: ["x"], most: 1 }],
  claimNotice: [place, 1],
  saveNoticeTry: [place, { next_attempt_at_ms: 1, delivered_at_ms: 1, error: "x" }],
  insertFlow: [row("oauth_flow"), { nowMs: 1, flowsMax: 1 }],
  forgetSlots: [1],
  listTopNames: [source, { by: "model", limit: 1 }],
  listSlots: [source, { by: "model", names: ["m"], steps: { step: 4, offset: 0 } }, "apart"],
  sumSlots: [source, "together"],
  listFacetDays: [days],
  listDaysToFill: [days],
  fillSlots: ["key_id", slots],
  fillDay: ["key_id", 1],
  listTopOfFacet: [ofFacet, 1],
  writeState: [dayState],
  listEntryRows: [entries, stretch, some],
  findEntryPlace: [entries, stretch, 1],
  countEntries: [entries, stretch, 1],
  listTasks: [{ accountId: "x", keyId: "x", kind: "video", after: "x", order: "asc", limit: 1 }],
  listAnnouncements: [{ atMs: 1, prefix: "x", order: { field: "title", isDown: true } }, some],
  writeListRows: [new Map([["m", {}]])],
  setKeyStatus: [{ channelId: "x", position: 1, last4: "x" }, "enabled", "x"],
  isOwnedByOthers: [seat],
  sumMoney: [{ accountId: "x", fromMs: 1, toMs: 2 }],
  sumCharges: [{ accountId: "x", fromMs: 1, toMs: 2 }],
  insertsOfOrganisation: [row("account"), { owner: row("member"), isUnlimited: false }],
  insertOrganisation: [row("account"), row("member")],
  updateOfSeat: [
    seat,
    {
      role: "member",
      project_id: "x",
      requests_per_minute: 1,
      tokens_per_minute: 1,
      concurrency: 1,
    },
  ],
  changesOfLeaving: [{ ...seat, keepsKeys: true, nowMs: 1 }],
  readKeyIdsOf: ["x", { makerId: "x", projectId: "x" }],
  updateRole: ["x", { description: "x" }],
  listTaskOverviews: [{ id: "x", keyIds: ["x"], state: "queued", kind: "video", model: "m" }, some],
  findProject: ["x", { name: "x" }],
  updateProject: ["x", { name: "x" }],
  selectHeldCaps: [["x"]],
  listInvitations: [{ organisationId: null, nowMs: 1 }, some],
  countInvitations: [{ organisationId: null, nowMs: 1 }],
  eraseAccount: [{ accountId: "x", name: "x", nowMs: 1, booked: ["x"] }],
};

/** Types and shapes are not asked; steps are made into functions when a database is opened. */
export function isNamed(name: string): boolean {
  return !/(?:Step|Steps|Program|Migrations|Max|Reader)$/.test(name);
}

export function sampleArguments(name: string, value: unknown, { store, database }: Explainer) {
  if (typeof value !== "function") return [];
  const names = parametersOf(value.toString());
  const leading: unknown[] = names
    .filter((one) => one === "database" || one === "store")
    .map((one) => (one === "store" ? store : database));
  const rest = exact[name];
  if (rest) return [...leading, ...rest];
  return names.map((one) =>
    one === "database" ? database : one === "store" ? store : sampleOf(name, one),
  );
}

function sampleOf(name: string, parameter: string): unknown {
  const table = tables[name];
  if (table !== undefined && parameter.startsWith("row")) {
    return parameter === "rows" ? [row(table)] : row(table);
  }
  if (parameter.startsWith("{")) return inBraces(parameter);
  if (parameter === "page") return some;
  if (parameter === "keys") return [row("channel_key")];
  if (/^(?:filter|attempt|place|verdict|changes|before|use)$/.test(parameter)) return shapeOf(name);
  if (/^(?:ids|hashes|replaced|accounts|kept)$/.test(parameter)) return ["x"];
  return isNumber(parameter) ? 1 : "x";
}

const shapes: Readonly<Record<string, object>> = {
  listAccounts: { prefix: "x", order: { field: "username", isDown: true } },
  listKeys: { prefix: "x", order: { field: "last_used_at", isDown: false } },
  savePlace: { channel_id: "x", key_digest: "x", upstream_reference: "x" },
  saveVerdict: { status: "active", error: "x", updated_at_ms: 1 },
};

function shapeOf(name: string): object {
  return shapes[name] ?? {};
}

function inBraces(parameter: string): Record<string, unknown> {
  const names = parameter.slice(1, -1).split(",");
  const own = names
    .map((text) => text.trim().split(/[ :=]/)[0] ?? "")
    .filter((text) => text !== "");
  return Object.fromEntries(own.map((one) => [one, isNumber(one) ? 1 : "x"]));
}

function isNumber(parameter: string): boolean {
  return /(?:Ms|Micros|limit|most|day|Day|step|counter|version|position|unlimited|offset)$/.test(
    parameter,
  );
}

/** The names of a function's parameters, and of those that are taken apart what they are of. */
function parametersOf(text: string): string[] {
  let depth = 0;
  let part = "";
  const parts: string[] = [];
  for (const letter of text.slice(text.indexOf("(") + 1)) {
    if (letter === ")" && depth === 0) break;
    if ("{([".includes(letter)) depth++;
    if ("})]".includes(letter)) depth--;
    if (letter === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += letter;
  }
  return [...parts, part.trim()]
    .map((one) => (one.startsWith("{") ? one.slice(0, one.lastIndexOf("}") + 1) : one))
    .map((one) => (one.startsWith("{") ? one : (one.split("=")[0]?.trim() ?? "")))
    .filter((one) => one !== "");
}
