// One's own account: who one is, how one gets in, and what else does.
import { Card } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { LowBalance } from "../../kit/low-balance/card.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Email } from "./email.tsx";
import { OwnRecords } from "./own-records.tsx";
import { Links, Sessions, Tokens, Webhook } from "./access.tsx";
import { Factors } from "./factors.tsx";
import { Looks, Password, Profile } from "./profile.tsx";
import { t } from "./words.ts";

const Redeem = later(async () => (await import("../../shell/redeem.tsx")).Redeem);

export function Page() {
  return (
    <Screen title={titleOf("account")}>
      <div class="columns">
        <div class="stack">
          <Profile />
          <Email />
          <Card title={t().credit}>
            <Redeem />
          </Card>
          <LowBalance />
          <Looks />
          <Webhook />
        </div>
        <div class="stack">
          <Password />
          <Factors />
          <Sessions />
          <Links />
          <Tokens />
          <OwnRecords />
        </div>
      </div>
    </Screen>
  );
}
