// One's own account: who one is, how one gets in, and what else does.
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { OwnRecords } from "./own-records.tsx";
import { Links, Sessions, Tokens, Webhook } from "./access.tsx";
import { Factors } from "./factors.tsx";
import { Looks, Password, Profile, Redeem } from "./profile.tsx";

export function Page() {
  return (
    <Screen title={titleOf("account")}>
      <div class="columns">
        <div class="stack">
          <Profile />
          <Redeem />
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
