// A backup that is being taken or restored: how far it is, or what came of it.
import type { BackupWorkView } from "../../../src/admin/contract.ts";
import { bytes, count } from "../../core/format.ts";
import { Code } from "../../kit/code.tsx";
import { Facts } from "../../kit/figures.tsx";
import { WorkCard } from "./progress.tsx";
import { t } from "./words.ts";

export function Work({ work }: { work: BackupWorkView }) {
  const words = t();
  const { kind, backup, step, result } = work;
  return (
    <WorkCard
      title={words.kinds[kind](backup)}
      work={work}
      step={step === null ? null : words.steps[step]}
    >
      {result && <Result result={result} />}
    </WorkCard>
  );
}

function Result({ result }: { result: NonNullable<BackupWorkView["result"]> }) {
  const words = t();
  const { media_files: files, bytes: size, folder, command, notes } = result;
  return (
    <>
      <Facts
        pairs={[
          [words.accounts, count(result.accounts)],
          [words.entries, count(result.entries)],
          files !== null && [words.mediaFiles, count(files)],
          size !== null && [words.size, bytes(size)],
          folder !== null && [words.folder, <span class="mono wrap">{folder}</span>],
        ]}
      />
      {notes.map((note) => (
        <p key={note} class="notice warn wrap">
          {note}
        </p>
      ))}
      {command !== null && (
        <div class="stack">
          <h3>{words.next}</h3>
          <p class="quiet wrap">{words.nextText}</p>
          <Code text={command} wraps />
        </div>
      )}
    </>
  );
}
