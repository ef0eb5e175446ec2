// A backup that is being taken or restored: how far it is, or what came of it.
import type { BackupWorkView } from "../../../src/admin/contract.ts";
import { bytes, count } from "../../core/format.ts";
import { Dot, Meter, type Tone } from "../../kit/badge.tsx";
import { Code } from "../../kit/code.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { t } from "./words.ts";

const tones: Record<BackupWorkView["state"], Tone> = {
  running: "accent",
  done: "good",
  failed: "bad",
};

export function Work({ work }: { work: BackupWorkView }) {
  const words = t();
  const { kind, backup, state, problem, result } = work;
  return (
    <Card
      title={words.kinds[kind](backup)}
      note={<Dot tone={tones[state]}>{words.states[state]}</Dot>}
    >
      {state === "running" && <Progress work={work} />}
      {problem !== null && (
        <p class="notice bad wrap" role="alert">
          {problem}
        </p>
      )}
      {result && <Result result={result} />}
    </Card>
  );
}

function Progress({ work }: { work: BackupWorkView }) {
  const words = t();
  const { step, steps_done: done, steps_total: total } = work;
  const label = words.progress(count(done), count(total));
  return (
    <div class="stack" role="status">
      {step !== null && <span>{words.steps[step]}</span>}
      <Meter part={done / total} label={label} isProgress />
      <span class="faint number">{label}</span>
    </div>
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
