// The company of the demo: who works there, and what each key is for. The names are invented.
import type { Work } from "./work.ts";

export const siteName = "Harbour Lane";

/** Everybody's, root's too: the demo is for looking around, on this machine alone. */
export const demoPassword = "harbour-lane-demo";

export const dollarMicros = 1_000_000;

export const groups = [
  { name: "dev", multiplier: 1 },
  { name: "support", multiplier: 1, requests_per_minute: 600 },
  { name: "studio", multiplier: 1.1 },
  { name: "data", multiplier: 0.9 },
] as const;

export interface KeyPlan {
  name: string;
  work: Work;
  /** Requests on a working day, about. */
  daily: number;
  /** A program that does not know of weekends. */
  isAlways?: true;
  fields?: object;
}

export interface PersonPlan {
  username: string;
  displayName: string;
  group: (typeof groups)[number]["name"];
  role?: "admin" | "support" | "billing" | "read-only";
  dollars: number;
  keys: readonly KeyPlan[];
}

const agent = (daily: number): KeyPlan => ({ name: "Claude Code", work: "claudeCode", daily });
const codex = (daily: number): KeyPlan => ({ name: "Codex", work: "codex", daily });

export const people: readonly PersonPlan[] = [
  {
    username: "maren.holt",
    displayName: "Maren Holt",
    group: "dev",
    role: "admin",
    dollars: 12,
    keys: [agent(26), { name: "staging smoke test", work: "smokeTest", daily: 8, isAlways: true }],
  },
  {
    username: "tomas.vidal",
    displayName: "Tomás Vidal",
    group: "dev",
    dollars: 16,
    keys: [agent(34), codex(9)],
  },
  {
    username: "aoife.brennan",
    displayName: "Aoife Brennan",
    group: "dev",
    dollars: 11,
    keys: [agent(24)],
  },
  {
    username: "wei.chen",
    displayName: "陈伟",
    group: "dev",
    dollars: 18,
    keys: [agent(38), { name: "code review", work: "review", daily: 12 }],
  },
  {
    username: "dmitri.orlov",
    displayName: "Дмитрий Орлов",
    group: "dev",
    dollars: 13,
    keys: [codex(30)],
  },
  {
    username: "yuki.tanaka",
    displayName: "田中 友紀",
    group: "dev",
    dollars: 9,
    keys: [codex(18), { name: "meeting notes", work: "minutes", daily: 5 }],
  },
  {
    username: "lucia.moretti",
    displayName: "Lucía Moretti",
    group: "support",
    role: "admin",
    dollars: 4,
    keys: [{ name: "support bot", work: "supportBot", daily: 74, isAlways: true }],
  },
  {
    username: "xiaomei.lin",
    displayName: "林小梅",
    group: "support",
    dollars: 2,
    keys: [{ name: "support bot CN", work: "chineseBot", daily: 42, isAlways: true }],
  },
  {
    username: "oksana.koval",
    displayName: "Оксана Коваль",
    group: "support",
    role: "read-only",
    dollars: 2,
    keys: [{ name: "letter translation", work: "letters", daily: 14 }],
  },
  {
    username: "samuel.osei",
    displayName: "Samuel Osei",
    group: "support",
    role: "support",
    dollars: 1,
    keys: [{ name: "help centre drafts", work: "letters", daily: 7 }],
  },
  {
    username: "hana.sato",
    displayName: "佐藤 花",
    group: "studio",
    dollars: 6,
    keys: [{ name: "storyboards", work: "pictures", daily: 4 }],
  },
  {
    username: "emil.lindqvist",
    displayName: "Emil Lindqvist",
    group: "studio",
    dollars: 26,
    keys: [{ name: "product films", work: "films", daily: 2 }],
  },
  {
    username: "ines.carvalho",
    displayName: "Inês Carvalho",
    group: "studio",
    dollars: 5,
    keys: [
      { name: "campaign copy", work: "letters", daily: 9 },
      { name: "moodboards", work: "pictures", daily: 2 },
    ],
  },
  {
    username: "priya.nair",
    displayName: "Priya Nair",
    group: "data",
    dollars: 4,
    keys: [
      { name: "nightly report", work: "nightlyReport", daily: 22, isAlways: true },
      { name: "document search", work: "embeddings", daily: 20, isAlways: true },
    ],
  },
  {
    username: "jun.zhao",
    displayName: "赵军",
    group: "data",
    role: "billing",
    dollars: 2,
    keys: [{ name: "nightly digest", work: "nightlyReport", daily: 9, isAlways: true }],
  },
  {
    username: "pavel.novak",
    displayName: "Pavel Novák",
    group: "data",
    dollars: 0.2,
    keys: [{ name: "spreadsheet add-in", work: "letters", daily: 6 }],
  },
];
