// All that the gateway keeps of whoever is signed in: to take along, or to be deleted for good.
import { useState } from "preact/hooks";
import { pathOf, send } from "../../core/control.ts";
import { loadSelf } from "../../core/session.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Card } from "../../kit/figures.tsx";
import { Prove, type Proof } from "../../kit/prove/prove.tsx";
import { t } from "./words.ts";

export function OwnRecords() {
  const [isErasing, setErasing] = useState(false);
  const erase = async (body: Proof) => {
    await send("POST /api/user/self/erase", { body });
    await loadSelf();
  };
  return (
    <Card title={t().ownRecords}>
      <p class="faint">{t().ownRecordsText}</p>
      <div class="row wraps">
        <LinkButton
          icon="download"
          href={pathOf("GET /api/user/self/export")}
          download="account.json"
        >
          {t().exportOwn}
        </LinkButton>
        <Button kind="danger" icon="trash" onClick={() => setErasing(true)}>
          {t().erase}
        </Button>
      </div>
      {isErasing && (
        <Prove
          title={t().erase}
          effect={t().eraseEffect}
          isDanger
          run={erase}
          onClose={() => setErasing(false)}
        />
      )}
    </Card>
  );
}
