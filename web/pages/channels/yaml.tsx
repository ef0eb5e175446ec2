// Channels as the configuration file would have them: out without keys, in after a look at it.
import { useState } from "preact/hooks";
import type { ChannelImport } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure, Refusal } from "../../kit/failure.tsx";
import { TextArea } from "../../kit/field.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Tabs } from "../../kit/rest/tabs.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./tool-words.ts";

export function YamlDialog({ onClose }: { onClose(): void }) {
  const words = t();
  const [tab, setTab] = useState<"export" | "import">("export");
  const options = [
    ["export", words.export],
    ["import", words.import],
  ] as const;
  return (
    <Dialog title={words.yamlTitle} isWide onClose={onClose}>
      <Tabs label={words.yamlTitle} value={tab} options={options} onChange={setTab}>
        {tab === "export" ? <Export /> : <Import onDone={onClose} />}
      </Tabs>
    </Dialog>
  );
}

function Export() {
  const { data, error, reload } = useAnswer("GET /api/channel/yaml");
  if (error) return <Failure error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={6} />;
  const href = `data:text/yaml;charset=utf-8,${encodeURIComponent(data.yaml)}`;
  return (
    <>
      <p class="quiet">{t().exportHint}</p>
      <div>
        <LinkButton icon="download" href={href} download="channels.yaml">
          {t().download}
        </LinkButton>
      </div>
      <Code text={data.yaml} />
    </>
  );
}

function Import({ onDone }: { onDone(): void }) {
  const words = t();
  const [yaml, setYaml] = useState("");
  const [plan, setPlan] = useState<ChannelImport | null>(null);
  const write = (text: string) => {
    setYaml(text);
    setPlan(null);
  };
  const take = useAction(async (isDry: boolean) => {
    const body = { yaml, dry_run: isDry };
    const result = await send("POST /api/channel/yaml", { body });
    if (isDry) return setPlan(result);
    refresh("/api/channel");
    showToast(t().imported(result.created.length + result.changed.length));
    onDone();
  });
  return (
    <>
      <TextArea
        label={words.import}
        hint={words.importHint}
        rows={12}
        isMono
        value={yaml}
        onInput={write}
      />
      <Refusal error={take.error} />
      {plan && <Plan plan={plan} />}
      <div class="row">
        <Button isDisabled={yaml.trim() === ""} onClick={() => void take.run(true)}>
          {words.dryRun}
        </Button>
        <Button
          kind="main"
          icon="upload"
          isBusy={take.isBusy}
          isDisabled={plan === null}
          onClick={() => void take.run(false)}
        >
          {words.apply}
        </Button>
      </div>
    </>
  );
}

function Plan({ plan: { created, changed } }: { plan: ChannelImport }) {
  const names = (list: readonly string[]) => (list.length === 0 ? t().none : list.join(", "));
  return (
    <Facts
      pairs={[
        [t().created, names(created)],
        [t().changed, names(changed)],
      ]}
    />
  );
}
