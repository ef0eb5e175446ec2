// One virtual model: its members in their order, and what it costs and shows.
import { useState } from "preact/hooks";
import type { VirtualModelView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { percent } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { Badge, Meter } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Declared } from "../../kit/waiting.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { EditVirtual, RemoveVirtual } from "./edit.tsx";
import { drawnOf, writeMember } from "./members.ts";
import { t } from "./words.ts";

type DetailOptions = { view: VirtualModelView } & Steps;

export function VirtualDetail({ view, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const [dialog, setDialog] = useState<"change" | "remove" | null>(null);
  const close = () => setDialog(null);
  const footer = !view.declared && may("channels.write") && (
    <>
      <Button icon="trash" onClick={() => setDialog("remove")}>
        {words.remove}
      </Button>
      <Button kind="main" icon="edit" onClick={() => setDialog("change")}>
        {words.change}
      </Button>
    </>
  );
  const { reply_model: reply } = view;
  return (
    <Drawer title={view.name} {...{ footer, onPrevious, onNext }} onClose={() => openId(null)}>
      {view.declared && <Declared />}
      <Members members={view.members} />
      <Facts
        pairs={[
          [words.price, words.prices[view.price]],
          [words.reply_model, reply === null ? words.byGateway : words.replies[reply]],
          [words.prefer, view.prefer === null ? words.byGroup : words.preferences[view.prefer]],
          [words.groups, view.groups?.join(", ") ?? words.everyGroup],
          [words.models, view.hidden ? words.hidden : words.shownInLists],
        ]}
      />
      {dialog === "change" && <EditVirtual view={view} onClose={close} />}
      {dialog === "remove" && <RemoveVirtual view={view} onClose={close} />}
    </Drawer>
  );
}

type MembersOptions = Pick<VirtualModelView, "members">;

/** Those of which one is drawn stand side by side in shares, those that follow in their order. */
function Members({ members }: MembersOptions) {
  const words = t();
  const { drawn, others } = drawnOf(members);
  const isSet = drawn.length > 1;
  return (
    <>
      {isSet && (
        <section class="stack">
          <h3>{words.drawn}</h3>
          <ul class="lines">
            {drawn.map(({ member, part }) => (
              <li key={member.model} class="stack">
                <span class="row">
                  <Member member={member} />
                  <span class="number push">{percent(part, 1)}</span>
                </span>
                <Meter part={part} label={percent(part, 1)} isProgress />
              </li>
            ))}
          </ul>
          <p class="quiet">{words.drawnText}</p>
        </section>
      )}
      {(!isSet || others.length > 0) && (
        <section class="stack">
          <h3>{isSet ? words.followed : words.members}</h3>
          <ol class="stack">
            {(isSet ? others : [...drawn.map(({ member }) => member), ...others]).map((member) => (
              <li key={member.model} class="row wraps">
                <Member member={member} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Member({ member }: { member: VirtualModelView["members"][number] }) {
  return (
    <>
      <span class="mono wrap">{writeMember(member)}</span>
      {!member.served && <Badge tone="warn">{t().unserved}</Badge>}
    </>
  );
}
