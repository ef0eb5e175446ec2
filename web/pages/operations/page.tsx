// Operations without a shell: backups and what is made of them, imports from other gateways, and
// the exchange of the secret, each with its progress and result.
import { useState } from "preact/hooks";
import type { BackupsView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, usePolled } from "../../core/control.ts";
import { isMaking, setMaking } from "../../core/place.ts";
import { moment } from "../../core/format.ts";
import { Button } from "../../kit/button.tsx";
import { Code, CurlButton } from "../../kit/code.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { Check } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { Waiting } from "../../kit/waiting.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Imports } from "./import/imports.tsx";
import { BackupList } from "./list.tsx";
import { Secret } from "./secret.tsx";
import { Upload } from "./upload.tsx";
import { Work } from "./work.tsx";
import { t } from "./words.ts";

const path = "/api/backup";
const calmMs = 15_000;
const busyMs = 1000;

export function Page() {
  const [everyMs, setEveryMs] = useState(calmMs);
  const { data, error, reload } = usePolled(everyMs, "GET /api/backup");
  const wanted = data?.work?.state === "running" ? busyMs : calmMs;
  if (data && wanted !== everyMs) setEveryMs(wanted);
  return (
    <Screen title={titleOf("operations")}>
      <Waiting {...{ data, error, reload }} lines={8} />
      {data &&
        (data.elsewhere === null ? <Here view={data} /> : <Elsewhere text={data.elsewhere} />)}
      <Imports />
      <Secret />
    </Screen>
  );
}

function Elsewhere({ text }: { text: string }) {
  return (
    <Card title={t().elsewhere}>
      <Code text={text} wraps />
    </Card>
  );
}

function Here({ view }: { view: BackupsView }) {
  const words = t();
  const [isUploading, setUploading] = useState(false);
  const isRunning = view.work?.state === "running";
  return (
    <>
      <div class="bar">
        <Button kind="main" icon="download" isDisabled={isRunning} onClick={() => setMaking(true)}>
          {words.takeNow}
        </Button>
        <Button icon="upload" onClick={() => setUploading(true)}>
          {words.upload}
        </Button>
        {view.last_at !== null && (
          <span class="faint">{words.lastAt(moment(view.last_at, "full"))}</span>
        )}
        <span class="push">
          <CurlButton path={path} />
        </span>
      </div>
      {view.work && <Work work={view.work} />}
      <Card title={words.backups} isFlush>
        <div class="inside stack">
          <p class="quiet wrap">{words.text}</p>
          <p class="faint wrap">{words.keptIn(view.folder)}</p>
        </div>
        <BackupList items={view.items} isBusy={isRunning} />
      </Card>
      {isMaking() && <Take onClose={() => setMaking(false)} />}
      {isUploading && (
        <Upload bytesMax={view.upload_bytes_max} onClose={() => setUploading(false)} />
      )}
    </>
  );
}

function Take({ onClose }: { onClose(): void }) {
  const words = t();
  const [media, setMedia] = useState(true);
  const take = useAction(async () => {
    await send("POST /api/backup", { body: { media } });
    refresh(path);
    onClose();
  });
  return (
    <FormDialog title={words.takeNow} submit={words.takeNow} action={take} onClose={onClose}>
      <Check label={words.withMedia} isOn={media} onChange={setMedia} />
    </FormDialog>
  );
}
