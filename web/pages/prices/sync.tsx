// Changes that the published price list would make, and taking over the accepted ones.
import { useState } from "preact/hooks";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf, send, useAnswer } from "../../core/control.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure, Refusal } from "../../kit/failure.tsx";
import { Check } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Changes, isChange } from "./changes.tsx";
import { t } from "./words.ts";

export function SyncPrices() {
  const words = t();
  const { data, error, reload } = useAnswer("GET /api/price/sync");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const news = data?.changes.filter(isChange) ?? [];
  const accepted = news.map(({ model }) => model).filter((model) => !left.has(model));
  const apply = useAction(async () => {
    await send("POST /api/price/sync", { body: { models: accepted } });
    refresh("/api/price");
    showToast(t().applied(accepted.length));
  });
  if (error && !data) return <Failure error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={8} />;
  const shown = isAll ? data.changes : news;
  return (
    <>
      <div class="bar">
        <span class="quiet wrap">{words.syncHint(data.list)}</span>
        <span class="push row wraps">
          <Check label={words.showSame} isOn={isAll} onChange={setAll} />
          <CurlButton path={pathOf("GET /api/price/sync")} />
          <Button
            kind="main"
            isBusy={apply.isBusy}
            isDisabled={accepted.length === 0}
            onClick={() => void apply.run()}
          >
            {words.apply(accepted.length)}
          </Button>
        </span>
      </div>
      <Refusal error={apply.error} />
      <Card isFlush>
        {shown.length === 0 ? (
          <Empty title={words.nothingNew} text={words.nothingNewText} />
        ) : (
          <Changes changes={shown} left={left} onLeft={setLeft} />
        )}
      </Card>
    </>
  );
}
