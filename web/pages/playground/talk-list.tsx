// Conversations of before: opened, renamed and deleted.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { lately } from "../../core/format.ts";
import { Confirm, Dialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Menu } from "../../kit/menu.tsx";
import { NameDialog } from "../../kit/name-dialog.tsx";
import { openTalk, removeTalk, renameTalk, talkId, talks, type Talk } from "./talks.ts";
import { t } from "./words.ts";

export function TalkList({ onClose }: { onClose(): void }) {
  const words = t();
  const all = talks.value;
  const open = (talk: Talk) => {
    openTalk(talk);
    onClose();
  };
  return (
    <Dialog title={words.talks} onClose={onClose}>
      <p class="quiet">{words.talksText}</p>
      {all.length === 0 && <Empty title={words.noTalks} />}
      <ul class="talks">
        {all.map((talk) => (
          <TalkLine key={talk.id} talk={talk} onOpen={() => open(talk)} />
        ))}
      </ul>
    </Dialog>
  );
}

function TalkLine({ talk, onOpen }: { talk: Talk; onOpen(): void }) {
  const words = t();
  const [doing, setDoing] = useState<"rename" | "remove" | null>(null);
  const onClose = () => setDoing(null);
  const remove = useAction(() => removeTalk(talk));
  const note = `${lately(talk.changedMs / 1000)} · ${talk.models.join(", ")}`;
  return (
    <li class="row">
      <button
        type="button"
        class="talk-title"
        aria-current={talk.id === talkId() ? "true" : undefined}
        onClick={onOpen}
      >
        <span class="cut">{talk.title}</span>
        <span class="faint cut">{note}</span>
      </button>
      <span class="push">
        <Menu
          label={words.actions(talk.title)}
          items={[
            { label: words.rename, icon: "edit", run: () => setDoing("rename") },
            { label: words.remove, icon: "trash", isDanger: true, run: () => setDoing("remove") },
          ]}
        />
      </span>
      {doing === "rename" && (
        <NameDialog
          {...{ onClose }}
          title={words.rename}
          submit={words.save}
          label={words.name}
          name={talk.title}
          onName={(name) => renameTalk(talk, name)}
        />
      )}
      {doing === "remove" && (
        <Confirm
          {...{ onClose }}
          title={words.removeTitle(talk.title)}
          effect={words.removeTalkText}
          submit={words.remove}
          action={remove}
        />
      )}
    </li>
  );
}
