// One virtual model: its members in their order, and what it costs and shows.
import { useState } from "preact/hooks";
import type { VirtualModelView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { openId } from "../../core/place.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Declared } from "../../kit/waiting.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { EditVirtual, RemoveVirtual } from "./edit.tsx";
import { writeMember } from "./members.ts";
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
      <section class="stack">
        <h3>{words.members}</h3>
        <ol class="stack">
          {view.members.map((member) => (
            <li key={member.model} class="row wraps">
              <span class="mono wrap">{writeMember(member)}</span>
              {!member.served && <Badge tone="warn">{words.unserved}</Badge>}
            </li>
          ))}
        </ol>
      </section>
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
