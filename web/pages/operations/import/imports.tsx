// The import from another gateway: a source, a dry run, and the run itself.
import { useState } from "preact/hooks";
import type { ImportRunsView } from "../../../../src/admin/contract.ts";
import { refresh, useAction } from "../../../core/api.ts";
import { send, usePolled } from "../../../core/control.ts";
import { bytes, moment } from "../../../core/format.ts";
import { Button } from "../../../kit/button.tsx";
import { CurlButton } from "../../../kit/code.tsx";
import { Confirm } from "../../../kit/dialog.tsx";
import { Card, Facts } from "../../../kit/figures.tsx";
import { Waiting } from "../../../kit/waiting.tsx";
import { t } from "../words.ts";
import { AskForm } from "./ask-form.tsx";
import { importPath, isImportable, keepQuestion, openQuestion, type Asked } from "./asked.ts";
import { ImportWork } from "./work.tsx";

const calmMs = 15_000;
const busyMs = 1000;

export function Imports() {
  const words = t().imports;
  const [everyMs, setEveryMs] = useState(calmMs);
  const { data, error, reload } = usePolled(everyMs, "GET /api/import/run");
  const wanted = data?.work?.state === "running" ? busyMs : calmMs;
  if (data && wanted !== everyMs) setEveryMs(wanted);
  return (
    <>
      <Card title={words.title} tools={<CurlButton path={importPath} />}>
        <p class="quiet wrap">{words.text}</p>
        <Waiting {...{ data, error, reload }} lines={2} />
        {data && data.elsewhere !== null && <p class="notice wrap">{data.elsewhere}</p>}
        {data && data.elsewhere === null && <Here view={data} />}
      </Card>
      {data?.work && <ImportWork key={data.work.started_at} work={data.work} />}
    </>
  );
}

function Here({ view }: { view: ImportRunsView }) {
  const words = t().imports;
  const asked = openQuestion(view);
  const [dialog, setDialog] = useState<"ask" | "run" | null>(null);
  const { work, files } = view;
  const isRunning = work?.state === "running";
  const close = () => setDialog(null);
  return (
    <>
      {files.length > 0 && (
        <Facts
          pairs={files.map(({ kind, name, bytes: size, created_at: at }) => [
            words.files[kind],
            `${name} · ${bytes(size)} · ${moment(at, "full")}`,
          ])}
        />
      )}
      <div class="bar">
        <Button
          kind={asked ? "plain" : "main"}
          icon="upload"
          isDisabled={isRunning}
          onClick={() => setDialog("ask")}
        >
          {words.plan}
        </Button>
        {asked && (
          <Button kind="main" onClick={() => setDialog("run")}>
            {words.run}
          </Button>
        )}
        {files.length > 0 && !isRunning && <Remove />}
      </div>
      {!asked && isImportable(work) && <p class="faint wrap">{words.again}</p>}
      {dialog === "ask" && <AskForm view={view} onClose={close} />}
      {dialog === "run" && asked && <Run asked={asked} onClose={close} />}
    </>
  );
}

function Run({ asked, onClose }: { asked: Asked; onClose(): void }) {
  const words = t().imports;
  const run = useAction(async () => {
    await send("POST /api/import/run", { body: { ...asked, dry_run: false } });
    keepQuestion(null);
    refresh(importPath);
  });
  return (
    <Confirm
      title={words.run}
      effect={words.runText}
      submit={words.run}
      action={run}
      onClose={onClose}
    />
  );
}

function Remove() {
  const remove = useAction(async () => {
    await send("DELETE /api/import/run");
    refresh(importPath);
  });
  return (
    <Button icon="trash" isBusy={remove.isBusy} onClick={() => void remove.run()}>
      {t().imports.removeFiles}
    </Button>
  );
}
