// Budgets of the demo: of people and of their keys, of organisations and of who is in them.
import type { Client } from "./client.ts";
import { dollarMicros } from "./company.ts";

interface BudgetPlan {
  /** Account that pays. */
  account: string;
  /** Person who sets it; without one, those who run the gateway. */
  by?: string;
  fields: { name: string; limit_micros: number; [field: string]: unknown };
  /** Percent of it that is spent near the end of the month: its limit is changed to what fits. */
  spentPercent?: number;
}

const zone = "Europe/Lisbon";

const plans: readonly BudgetPlan[] = [
  {
    account: "wei.chen",
    fields: { name: "agents this year", limit_micros: 40 * dollarMicros, mode: "watch" },
    spentPercent: 87,
  },
  {
    account: "hana.sato",
    fields: { name: "storyboards of the autumn", limit_micros: 20 * dollarMicros },
    spentPercent: 100,
  },
  {
    account: "xiaomei.lin",
    fields: { name: "support bot a day", limit_micros: 15_000, period: "day", mode: "watch", zone },
  },
  {
    account: "priya.nair",
    fields: {
      name: "reports a week",
      scope: "key",
      subject: "nightly report",
      limit_micros: 250_000,
      period: "week",
      carry_micros_max: 100_000,
      zone,
    },
  },
  {
    account: "lucia.moretti",
    fields: {
      name: "each channel of the bot",
      scope: "label",
      limit_micros: 5 * dollarMicros,
      period: "month",
    },
  },
  {
    account: "tomas.vidal",
    by: "tomas.vidal",
    fields: {
      name: "each of my keys",
      scope: "key",
      models: ["claude-*", "gpt-*"],
      limit_micros: 5 * dollarMicros,
      period: "hours",
      hours: 5,
    },
  },
  {
    account: "ferry-app",
    fields: {
      name: "quarter",
      limit_micros: 8 * dollarMicros,
      period: "quarter",
      mode: "hard",
      marks: [50, 80, 95],
    },
  },
  {
    account: "ferry-app",
    by: "tomas.vidal",
    fields: {
      name: "each member a week",
      scope: "member",
      limit_micros: 10 * dollarMicros,
      period: "week",
    },
  },
  {
    account: "ferry-app",
    by: "tomas.vidal",
    fields: {
      name: "booking a day",
      scope: "project",
      subject: "booking",
      limit_micros: 12_000,
      period: "day",
      mode: "watch",
    },
  },
  {
    account: "north-pier-films",
    fields: { name: "films this year", limit_micros: 60 * dollarMicros, mode: "watch" },
    spentPercent: 92,
  },
  {
    account: "north-pier-films",
    by: "emil.lindqvist",
    fields: {
      name: "trailers",
      models: ["sora-*"],
      limit_micros: 4 * dollarMicros,
      period: "month",
    },
  },
];

/** A window that does not end while the month goes by. */
const wholeYear = { period: "hours", hours: 8760 };

interface Budget {
  id: string;
  name: string;
  now: { spent_micros: number } | null;
}

export async function setBudgets(
  client: Client,
  organisations: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { account, by, fields, spentPercent } of plans) {
    const body = { ...(spentPercent !== undefined && wholeYear), ...fields };
    const id = organisations.get(account);
    if (by === undefined) await client.control("POST", "/api/budget", { account, ...body });
    else {
      const scope = id === undefined ? "" : `?as=${id}`;
      await client.person(by).control("POST", `/api/budget${scope}`, body);
    }
  }
}

/** Gives some the limit of which what was spent is that much, to the cent above. */
export async function fitBudgets(client: Client): Promise<void> {
  const { items } = await client.control<{ items: Budget[] }>("GET", "/api/budget?page_size=100");
  for (const { fields, spentPercent } of plans) {
    if (spentPercent === undefined) continue;
    const budget = items.find(({ name }) => name === fields.name);
    const spentMicros = budget?.now?.spent_micros ?? 0;
    const limit = spentPercent === 100 ? spentMicros : upToCent((spentMicros * 100) / spentPercent);
    await client.control("PATCH", `/api/budget/${budget?.id ?? ""}`, { limit_micros: limit });
  }
}

function upToCent(micros: number): number {
  const cent = dollarMicros / 100;
  return Math.ceil(micros / cent) * cent;
}
