// An import's report for people.
import { dollars } from "../table.ts";
import type { ImportReportView } from "../../admin/import-run/contract.ts";

export function renderReport(report: ImportReportView): string {
  const { source, dry_run: isDry, counts, money, shown, remarks, configuration } = report;
  const lines = [isDry ? `What would come from ${source}:` : `What came from ${source}:`];
  for (const [kind, { found: foundCount, made: madeCount, known, refused }] of Object.entries(
    counts,
  )) {
    const outcome = isDry ? "" : `: ${madeCount} made, ${known} here already, ${refused} refused`;
    lines.push(`  ${kind}: ${foundCount} found${outcome}`);
  }
  lines.push("Money:", `  there: ${shown.total}`);
  lines.push(...leftBehind(shown));
  lines.push(`  to be granted: ${dollars(money.planned_micros)}`);
  if (money.granted_micros !== null) {
    lines.push(`  granted, by the ledger: ${dollars(money.granted_micros)}`);
  }
  lines.push(`  ${money.equal ? "equal to the micro" : "NOT EQUAL: look below before going on"}`);
  if (remarks.length > 0) {
    lines.push("What did not come, or not as it was:");
    lines.push(...remarks.map(({ about, why }) => `  ${about}: ${why}`));
  }
  if (configuration.length > 0) {
    lines.push("For the configuration file:", ...configuration.map((line) => `  ${line}`));
  }
  return lines.join("\n");
}

const nothing = "$0.00";

/** The difference between what was there and what comes, line by line, so that it adds up. */
function leftBehind({ deleted, debts, rounded }: ImportReportView["shown"]): string[] {
  return [
    ...(deleted === nothing ? [] : [`  left behind, of deleted users: ${deleted}`]),
    ...(debts === nothing ? [] : [`  debts, which do not come: ${debts}`]),
    ...(rounded === nothing ? [] : [`  rounded down: ${rounded}, to whole micros`]),
  ];
}
