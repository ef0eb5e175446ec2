// An import that runs or ran, and its report.
import type { ImportReportView, ImportWorkView } from "../../../../src/admin/contract.ts";
import { count, exactMoney } from "../../../core/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Code } from "../../../kit/code.tsx";
import { Facts } from "../../../kit/figures.tsx";
import { Table } from "../../../kit/table.tsx";
import { WorkCard } from "../progress.tsx";
import { t } from "../words.ts";
import { programs } from "./asked.ts";

/** Remarks on the page; the file has all. */
const remarksMax = 100;
const nothing = "$0.00";

export function ImportWork({ work }: { work: ImportWorkView }) {
  const words = t().imports;
  const { kind, program, step, result } = work;
  return (
    <WorkCard
      title={words.kinds[kind](programs[program])}
      work={work}
      step={step === null ? null : words.steps[step]}
    >
      {result && <Report report={result} />}
    </WorkCard>
  );
}

function Report({ report }: { report: ImportReportView }) {
  const words = t().imports;
  const { configuration } = report;
  return (
    <>
      <Money report={report} />
      <Counts report={report} />
      <Remarks report={report} />
      {configuration.length > 0 && (
        <div class="stack">
          <h3>{words.configuration}</h3>
          <Code text={configuration.join("\n")} wraps />
        </div>
      )}
      <div class="bar">
        <Button icon="download" onClick={() => download(report)}>
          {words.download}
        </Button>
      </div>
    </>
  );
}

function Money({ report: { money, shown } }: { report: ImportReportView }) {
  const words = t().imports;
  const unlessNone = (text: string) => (text === nothing ? null : text);
  return (
    <>
      {money.equal ? (
        <p class="notice good wrap">{words.equal}</p>
      ) : (
        <p class="notice bad wrap" role="alert">
          {words.notEqual}
        </p>
      )}
      <Facts
        pairs={[
          [words.there, shown.total],
          [words.deleted, unlessNone(shown.deleted)],
          [words.debts, unlessNone(shown.debts)],
          [words.rounded, unlessNone(shown.rounded)],
          [words.planned, exactMoney(money.planned_micros)],
          [words.granted, money.granted_micros === null ? null : exactMoney(money.granted_micros)],
        ]}
      />
    </>
  );
}

function Counts({ report: { counts, dry_run: isDry } }: { report: ImportReportView }) {
  const words = t().imports;
  const kinds = Object.keys(words.lists) as (keyof typeof words.lists)[];
  const rows = kinds.map((kind) => ({ kind, ...counts[kind] })).filter((row) => row.found > 0);
  return (
    <Table
      label={words.counts}
      rows={rows}
      idOf={({ kind }) => kind}
      columns={[
        { name: "kind", head: words.what, cell: ({ kind }) => words.lists[kind], card: "title" },
        {
          name: "found",
          head: words.found,
          cell: (row) => count(row.found),
          isRight: true,
          hasHead: true,
        },
        !isDry && {
          name: "made",
          head: words.made,
          cell: (row) => count(row.made),
          isRight: true,
          hasHead: true,
        },
        !isDry && {
          name: "known",
          head: words.known,
          cell: (row) => count(row.known),
          isRight: true,
          hasHead: true,
        },
        !isDry && {
          name: "refused",
          head: words.refused,
          cell: (row) => count(row.refused),
          isRight: true,
          hasHead: true,
        },
      ]}
    />
  );
}

function Remarks({ report: { remarks } }: { report: ImportReportView }) {
  const words = t().imports;
  if (remarks.length === 0) return null;
  return (
    <div class="stack">
      <h3>{words.remarks}</h3>
      {remarks.slice(0, remarksMax).map(({ about, why }, at) => (
        <p key={at} class="wrap">
          {about} <span class="quiet">{why}</span>
        </p>
      ))}
      {remarks.length > remarksMax && (
        <p class="faint">{words.more(count(remarks.length - remarksMax))}</p>
      )}
    </div>
  );
}

function download(report: ImportReportView): void {
  const file = new Blob([JSON.stringify(report, null, 2)], { type: "application/json" });
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(file);
  anchor.download = `sluice-import-${report.source}.json`;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}
