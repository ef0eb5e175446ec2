// Invitations, by which people register, and codes that are worth credit.
import { may } from "../../core/session.ts";
import { isMaking, query, setMaking, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { Tabs } from "../../kit/rest/tabs.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Invitations, MakeInvitation } from "./invitations.tsx";
import { MakeCodes, Redemptions } from "./redemptions.tsx";
import { t } from "./words.ts";

type Kind = "invitations" | "credit";

export function Page() {
  const seesCredit = may("money.read");
  const kind: Kind = seesCredit && query.value.get("kind") === "credit" ? "credit" : "invitations";
  const words = t();
  const options = [
    ["invitations", words.invitations],
    ...(seesCredit ? ([["credit", words.credit]] as const) : []),
  ] as const;
  const choose = (next: Kind) =>
    setQuery({ kind: next === "credit" ? next : null, q: null, status: null, p: null });
  const make = may(kind === "credit" ? "money.write" : "people.write") && (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {kind === "credit" ? words.makeCodes : words.makeInvitation}
    </Button>
  );
  const close = () => setMaking(false);
  return (
    <Screen title={titleOf("codes")} tools={make}>
      <Tabs label={titleOf("codes")} value={kind} options={options} onChange={choose}>
        {kind === "credit" ? <Redemptions /> : <Invitations />}
      </Tabs>
      {isMaking() && kind === "credit" && <MakeCodes onClose={close} />}
      {isMaking() && kind === "invitations" && <MakeInvitation onClose={close} />}
    </Screen>
  );
}
