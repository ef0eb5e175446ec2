// The gateway's own secret: what it is for, and its exchange.
import { useState } from "preact/hooks";
import type { SecretView, SecretWorkView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, usePolled } from "../../core/control.ts";
import { count } from "../../core/format.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { Waiting } from "../../kit/waiting.tsx";
import { WorkCard } from "./progress.tsx";
import { t } from "./words.ts";

const path = "/api/secret";
const calmMs = 15_000;
const busyMs = 500;

export function Secret() {
  const words = t().secret;
  const [everyMs, setEveryMs] = useState(calmMs);
  const { data, error, reload } = usePolled(everyMs, "GET /api/secret");
  const wanted = data?.work?.state === "running" ? busyMs : calmMs;
  if (data && wanted !== everyMs) setEveryMs(wanted);
  return (
    <>
      <Card title={words.title} tools={<CurlButton path={path} />}>
        <p class="quiet wrap">{words.text}</p>
        <Waiting {...{ data, error, reload }} lines={2} />
        {data && <Exchange view={data} />}
      </Card>
      {data?.work && <Work work={data.work} />}
    </>
  );
}

function Exchange({ view }: { view: SecretView }) {
  const words = t().secret;
  const [isAsking, setAsking] = useState(false);
  const exchange = useAction(async () => {
    await send("POST /api/secret/rotate");
    refresh(path);
  });
  const { obstacle, work, has_second: hasSecond } = view;
  if (obstacle !== null) return <p class="notice wrap">{obstacle}</p>;
  const act = hasSecond ? words.goOn : words.exchange;
  return (
    <>
      <div class="bar">
        <Button icon="lock" isDisabled={work?.state === "running"} onClick={() => setAsking(true)}>
          {act}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={act}
          effect={`${words.exchangeText} ${words.after}`}
          submit={act}
          action={exchange}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Work({ work }: { work: SecretWorkView }) {
  const words = t().secret;
  const { step, result } = work;
  return (
    <WorkCard title={words.work} work={work} step={step === null ? null : words.steps[step]}>
      {result && (
        <>
          <Facts
            pairs={[
              [words.rows, count(result.rows)],
              result.unreadable > 0 && [words.unreadable, count(result.unreadable)],
            ]}
          />
          {result.next !== null && <p class="notice wrap">{result.next}</p>}
        </>
      )}
    </WorkCard>
  );
}
