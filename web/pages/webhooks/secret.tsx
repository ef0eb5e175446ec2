// Secret that signs one's own callbacks, and a new one in its place.
import { useState } from "preact/hooks";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf, send, useAnswer } from "../../core/control.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Button } from "../../kit/button.tsx";
import { Code, CurlButton } from "../../kit/code.tsx";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

export function Secret({ onClose }: { onClose(): void }) {
  const { data, error, reload } = useAnswer("GET /api/webhook-secret");
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const footer = data && <Button onClick={() => setRotating(true)}>{t().rotate}</Button>;
  return (
    <Dialog title={t().secret} isWide {...{ footer, onClose }}>
      <p class="quiet">{t().secretText}</p>
      <Waiting {...{ data, error, reload }} lines={2} />
      {data && isShown && <Code text={data.secret} wraps />}
      {data && !isShown && (
        <div class="row">
          <Button icon="eye" onClick={() => setShown(true)}>
            {t().show}
          </Button>
          <CurlButton path={pathOf("GET /api/webhook-secret")} />
        </div>
      )}
      {data?.overlaps && <p class="notice warn">{t().overlaps}</p>}
      {isRotating && <Rotate onClose={() => setRotating(false)} />}
    </Dialog>
  );
}

function Rotate({ onClose }: { onClose(): void }) {
  const rotate = useAction(async () => {
    await send("POST /api/webhook-secret");
    refresh("/api/webhook-secret");
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
