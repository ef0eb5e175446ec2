// What one's own callbacks are signed with, and a new one in its place.
import { useState } from "preact/hooks";
import type { WebhookSecret } from "../../../src/admin/contract.ts";
import { call, refresh, useAction, useGet } from "../../core/api.ts";
import { Button } from "../../kit/button.tsx";
import { Code, CurlButton } from "../../kit/code.tsx";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

const path = "/api/webhook-secret";

export function Secret({ onClose }: { onClose(): void }) {
  const { data, error, reload } = useGet<WebhookSecret>(path);
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const footer = data && <Button onClick={() => setRotating(true)}>{t().rotate}</Button>;
  return (
    <Dialog title={t().secret} isWide {...{ footer, onClose }}>
      <p class="quiet">{t().secretText}</p>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && <Skeleton lines={2} />}
      {data && isShown && <Code text={data.secret} wraps />}
      {data && !isShown && (
        <div class="row">
          <Button icon="eye" onClick={() => setShown(true)}>
            {t().show}
          </Button>
          <CurlButton path={path} />
        </div>
      )}
      {data?.overlaps && <p class="notice warn">{t().overlaps}</p>}
      {isRotating && <Rotate onClose={() => setRotating(false)} />}
    </Dialog>
  );
}

function Rotate({ onClose }: { onClose(): void }) {
  const rotate = useAction(async () => {
    await call("POST", path);
    refresh(path);
    showToast(t().wasRotated);
  });
  return (
    <Confirm
      title={t().rotateTitle}
      effect={t().rotateEffect}
      submit={t().rotate}
      action={rotate}
      onClose={onClose}
    />
  );
}
