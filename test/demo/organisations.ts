// Organisations of the demo: who is in them as what, their projects, and what their keys are for.
import type { SeatRole } from "../../src/identity/role.ts";
import type { groups, KeyPlan } from "./company.ts";

export interface SeatKeyPlan extends KeyPlan {
  /** Its maker. */
  by: string;
  project: string;
  /** It is the organisation's own. */
  isService?: true;
}

export interface OrganisationPlan {
  name: string;
  displayName: string;
  group: (typeof groups)[number]["name"];
  dollars: number;
  owner: string;
  seats: readonly { username: string; role: SeatRole }[];
  projects: readonly string[];
  /** Put away when the month begins. */
  endedProject?: string;
  rules: object;
  invitations: readonly { note: string; role: SeatRole; uses_max: number }[];
  keys: readonly SeatKeyPlan[];
}

const memberQuota = { quota_micros: 15_000_000 };

export const organisations: readonly OrganisationPlan[] = [
  {
    name: "ferry-app",
    displayName: "Ferry app",
    group: "dev",
    dollars: 20,
    owner: "tomas.vidal",
    seats: [
      { username: "aoife.brennan", role: "admin" },
      { username: "wei.chen", role: "member" },
      { username: "dmitri.orlov", role: "member" },
      { username: "lucia.moretti", role: "viewer" },
    ],
    projects: ["booking", "timetable", "pilot in spring"],
    endedProject: "pilot in spring",
    rules: { limit_micros_max: 20_000_000, count_max: 3 },
    invitations: [{ note: "Contractors for the winter timetable", role: "member", uses_max: 3 }],
    keys: [
      {
        name: "booking assistant",
        work: "supportBot",
        daily: 22,
        isAlways: true,
        by: "aoife.brennan",
        project: "booking",
        isService: true,
      },
      {
        name: "pull requests",
        work: "review",
        daily: 6,
        by: "wei.chen",
        project: "timetable",
        fields: memberQuota,
      },
      {
        name: "timetable agent",
        work: "codex",
        daily: 7,
        by: "dmitri.orlov",
        project: "timetable",
        fields: memberQuota,
      },
    ],
  },
  {
    name: "north-pier-films",
    displayName: "北埠头 North Pier Films",
    group: "studio",
    dollars: 24,
    owner: "emil.lindqvist",
    seats: [
      { username: "hana.sato", role: "admin" },
      { username: "ines.carvalho", role: "member" },
      { username: "priya.nair", role: "viewer" },
    ],
    projects: ["winter campaign", "harbour museum"],
    rules: { limit_micros_max: 15_000_000 },
    invitations: [{ note: "Cutter for the museum", role: "viewer", uses_max: 1 }],
    keys: [
      {
        name: "render queue",
        work: "films",
        daily: 1,
        by: "emil.lindqvist",
        project: "harbour museum",
        isService: true,
      },
      {
        name: "captions",
        work: "letters",
        daily: 8,
        by: "ines.carvalho",
        project: "winter campaign",
        fields: memberQuota,
      },
    ],
  },
];
