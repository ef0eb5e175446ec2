// An import from beginning to end: everything is read and planned, then handed to the gateway in
// small parts, then the sums are compared with what the gateway's own books say.
import { channelCalls } from "../../admin/channel/contract.ts";
import { importCalls, type ImportResult } from "../../admin/import/contract.ts";
import {
  importKinds,
  type ImportKind,
  type ImportReportView,
  type ImportStep,
} from "../../admin/import-run/contract.ts";
import { priceCalls } from "../../admin/price/contract.ts";
import { userCalls } from "../../admin/user/contract.ts";
import type { ControlClient } from "../control-client.ts";
import type { ImportSnapshot, Remark } from "./snapshot.ts";
import { planImport, type Plan, type Present } from "./plan.ts";

/** A body of the control API has a bound, which a row alone may come near. */
const rowsAtOnce = 200;
const charactersAtOnce = 400_000;

type Kind = ImportKind;
type Count = ImportReportView["counts"][Kind];

interface Asked {
  source: string;
  isDry: boolean;
  /** Told what is begun. */
  onStep?(step: ImportStep): void;
}

export async function runImport(
  client: ControlClient,
  snapshot: ImportSnapshot,
  { source, isDry, onStep = () => {} }: Asked,
): Promise<ImportReportView> {
  onStep("plan");
  const plan = planImport(snapshot, await readPresent(client, source));
  const remarks = [...plan.remarks];
  const counts = countAll(plan);
  let isKept = true;
  if (!isDry && plan.isBalanced) {
    for (const kind of importKinds) {
      onStep(kind);
      for (const rows of inParts<object>(plan.lists[kind])) {
        const result = await hand(client, { source, [kind]: rows });
        note(result, kind, { count: counts[kind], remarks });
        isKept &&= isAsHanded(plan, result);
      }
    }
  }
  if (!isDry) onStep("sums");
  const granted = isDry ? null : (await readState(client, source)).grantedMicros;
  const isGranted = granted === null || BigInt(granted) === plan.grantMicros;
  return {
    source,
    dry_run: isDry,
    counts,
    money: {
      source_micros: plan.totalMicros,
      left_behind_micros: plan.restMicros,
      planned_micros: Number(plan.grantMicros),
      granted_micros: granted,
      equal: plan.isBalanced && isGranted && isKept,
    },
    shown: plan.shown,
    remarks,
    configuration: snapshot.configuration,
  };
}

function countAll({ lists }: Plan): Record<Kind, Count> {
  const none = (foundCount: number): Count => ({
    found: foundCount,
    made: 0,
    known: 0,
    refused: 0,
  });
  return {
    groups: none(lists.groups.length),
    accounts: none(lists.accounts.length),
    projects: none(lists.projects.length),
    members: none(lists.members.length),
    keys: none(lists.keys.length),
    budgets: none(lists.budgets.length),
    channels: none(lists.channels.length),
    prices: none(lists.prices.length),
    codes: none(lists.codes.length),
    identities: none(lists.identities.length),
    announcements: none(lists.announcements.length),
  };
}

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const { length } = JSON.stringify(row);
    if (part.length >= rowsAtOnce || (part.length > 0 && characters + length > charactersAtOnce)) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(row);
    characters += length;
  }
  if (part.length > 0) yield part;
}

async function hand(client: ControlClient, body: object): Promise<ImportResult> {
  return await client.ask(importCalls.write, { body });
}

function note(
  { rows }: ImportResult,
  kind: Kind,
  { count, remarks }: { count: Count; remarks: Remark[] },
): void {
  for (const { ref, outcome, reason } of rows) {
    count[outcome]++;
    if (outcome === "refused") remarks.push({ about: `${kind} ${ref}`, why: reason });
  }
}

/** Whether limits and codes stand in the database as they were handed over. */
function isAsHanded({ lists }: Plan, { rows, limits_micros, codes_micros }: ImportResult): boolean {
  const madeOf = (kind: Kind) =>
    new Set(
      rows.filter((row) => row.kind === kind && row.outcome === "made").map(({ ref }) => ref),
    );
  const [keys, codes] = [madeOf("keys"), madeOf("codes")];
  const sum = (amounts: readonly (number | null)[]) =>
    amounts.reduce<bigint>((total, amount) => total + BigInt(amount ?? 0), 0n);
  const limits = lists.keys.filter(({ ref }) => keys.has(ref)).map((key) => key.limit_micros);
  const worth = lists.codes.filter(({ ref }) => codes.has(ref)).map(({ micros }) => micros);
  return sum(limits) === BigInt(limits_micros) && sum(worth) === BigInt(codes_micros);
}

async function readPresent(client: ControlClient, source: string): Promise<Present> {
  const users = await client.all(userCalls.list);
  const channels = await client.all(channelCalls.list);
  const prices = await client.all(priceCalls.list);
  const { refs, come } = await readState(client, source);
  return {
    usernames: users.map(({ username }) => username),
    priced: prices.map(({ model }) => model),
    channels: channels.map(({ name }) => name),
    refs,
    come,
  };
}

async function readState(client: ControlClient, source: string) {
  const state = await client.ask(importCalls.read, { query: { source } });
  return { refs: state.refs, come: state.usernames, grantedMicros: state.granted_micros };
}
