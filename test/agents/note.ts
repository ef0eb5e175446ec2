// The table of docs/agents.md that a whole run writes: a row for each agent and kind of vendor.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layOut } from "../docs/conversion-table.ts";
import { type Agent, packages } from "./agent.ts";
import type { Result, Trial } from "./trial.ts";

export interface Run {
  trial: Trial;
  result: Result;
}

const page = join(import.meta.dir, "..", "..", "docs", "agents.md");
const table = /(?<=<!-- runs -->\n\n)[^]*?(?=\n*<!-- end of runs -->)/;

export function versionOf({ package: name }: Agent): string {
  const path = join(packages, name, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

export function noteRuns(runs: readonly Run[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const header = [
    "Agent",
    "Version",
    "Wire",
    "Upstream",
    "Way",
    "Set up",
    "Edited the file",
    "Requests",
    "Refused or cut",
  ];
  const rows = [...Map.groupBy(runs, rowOf).entries()].map(([row, its]) => [
    ...row.split("|"),
    `${its.filter(({ result }) => result.hasEdited).length} of ${its.length}`,
    String(sum(its.map(({ result }) => result.requests))),
    String(sum(its.map(({ result }) => result.refused))),
  ]);
  const text = `On ${date}:\n\n${layOut([header, ...rows])}`;
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(table, () => text),
  );
}

function rowOf({ trial: { agent, vendor, way } }: Run): string {
  const { package: name, format, transport } = agent;
  const isNative = vendor.dialect === format;
  const wire = `${format}, ${transport}`;
  return [
    `\`${name}\``,
    versionOf(agent),
    wire,
    vendor.dialect,
    isNative ? "native" : "converted",
    way.name,
  ].join("|");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
